package flow

import "strings"

// filedPath gives the path of a route that a framework finds by its file: what lies between the folder called under and the file, with the file's own
// name where leaf is true; "" where no such folder is above the file. Folders that only group, in parentheses or after an @, are no part of it.
func filedPath(file, under string, leaf bool) string {
	parts := strings.Split(file, "/")
	name := parts[len(parts)-1]
	folders := parts[:len(parts)-1]
	at := -1
	for i, p := range folders {
		if p == under {
			at = i
			break
		}
	}
	if at < 0 {
		return ""
	}
	if at+1 < len(folders) && folders[at+1] == under {
		at++ // a package named like the folder
	}
	var path strings.Builder
	add := func(part string) {
		if !strings.HasPrefix(part, "(") && !strings.HasPrefix(part, "@") {
			path.WriteString("/" + part)
		}
	}
	for _, p := range folders[at+1:] {
		add(p)
	}
	if leaf {
		if name, _, _ = strings.Cut(name, "."); name != "index" {
			add(name)
		}
	}
	if path.Len() == 0 {
		return "/"
	}
	return path.String()
}

module github.com/slack-go/slack

go 1.23

package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"time"

	"github.com/retrysafe/retrysafe/analyzers/audit"
)

func main() {
	if p := os.Getenv("PROF"); p != "" {
		f, _ := os.Create(p)
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	go func() { time.Sleep(20 * time.Second); pprof.StopCPUProfile(); os.Exit(3) }()
	t := time.Now()
	r, err := audit.Scan(context.Background(), audit.Options{Path: os.Args[1]})
	if err != nil {
		fmt.Println("ERR", err)
		if r == nil {
			return
		}
	}
	if r.Result != nil {
		for _, t := range r.Result.Tools {
			fmt.Printf("%s %s [%s] %s %s handler %s partial=%v conf=%d\n", t.Kind, t.Name, t.Nature, t.Framework, t.Span, t.Handler, t.Partial, t.Confidence)
			for _, e := range t.Effects {
				p := r.Result.Protection(e)
				fmt.Printf("    effect %s %s %s %q vendor=%s key=%v prot=%s conf=%d %s\n", e.Kind, e.Nature, e.Callee, e.Symbol, e.Vendor, e.Key != nil, p.Level, e.Confidence, e.Span)
				if e.Incidental != "" {
					fmt.Println("       incidental", e.Incidental)
				}
			}
			for _, rec := range t.Records {
				fmt.Printf("    record %s store=%q table=%q ttl=%v key=%v", rec.Op, rec.Store, rec.Table, rec.HasTTL, rec.Key != nil)
				if rec.Key != nil {
					fmt.Printf(" stable=%v", r.Result.Stable(rec.Key))
					for _, o := range r.Result.Origins(rec.Key) {
						fmt.Printf(" %s:%s", o.Kind, o.Name)
					}
				}
				if len(t.Effects) > 0 {
					for _, p := range t.Effects[0].Paths {
						fmt.Printf(" outcome=%d", r.Result.Outcome(p, rec.Call))
						for _, c := range p.Conds {
							fmt.Printf(" [%v %s]", c.True, c.Span)
						}
						for _, b := range p.Before {
							fmt.Printf(" <%s %v>", b.Call.Callee, b.Failed)
						}
					}
				}
				fmt.Println()
			}
			for _, u := range t.Unresolved {
				fmt.Printf("    unresolved %s %q %s\n", u.Callee, u.Symbol, u.Span)
			}
		}
		for _, n := range r.Coverage.Unresolved {
			fmt.Println("UNRESOLVED", n.Span, n.What)
		}
		for _, n := range r.Coverage.Notes {
			fmt.Println("NOTE", n.Span, n.What)
		}
	}
	for _, f := range r.Findings {
		fmt.Println("FINDING", f.Rule, f.Primary, f.Message)
	}
	fmt.Println("files", r.Coverage.Files, "bytes", r.Coverage.Bytes, time.Since(t))
}

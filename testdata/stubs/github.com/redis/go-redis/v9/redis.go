// Package redis declares what the stories use of the package of this name.
package redis

import (
	"context"
	"errors"
	"time"
)

var Nil = errors.New("redis: nil")

type Options struct{ Addr string }

type Client struct{}

func NewClient(*Options) *Client { return &Client{} }

type StringCmd struct{}

func (*StringCmd) Result() (string, error) { return "", nil }
func (*StringCmd) Err() error              { return nil }
func (*StringCmd) Val() string             { return "" }

func (*Client) Ping(ctx context.Context) *StatusCmd { return nil }

type StatusCmd struct{}

func (*StatusCmd) Result() (string, error) { return "", nil }
func (*StatusCmd) Err() error              { return nil }

type BoolCmd struct{}

func (*BoolCmd) Result() (bool, error) { return false, nil }
func (*BoolCmd) Val() bool             { return false }
func (*BoolCmd) Err() error            { return nil }

type IntCmd struct{}

func (*IntCmd) Result() (int64, error) { return 0, nil }
func (*IntCmd) Err() error             { return nil }

func (*Client) Get(ctx context.Context, key string) *StringCmd { return nil }
func (*Client) Set(ctx context.Context, key string, value any, ttl time.Duration) *StatusCmd {
	return nil
}
func (*Client) SetNX(ctx context.Context, key string, value any, ttl time.Duration) *BoolCmd {
	return nil
}
func (*Client) Expire(ctx context.Context, key string, ttl time.Duration) *BoolCmd { return nil }
func (*Client) Del(ctx context.Context, keys ...string) *IntCmd                    { return nil }

func (*Client) Exists(ctx context.Context, keys ...string) *IntCmd { return nil }
func (*Client) GetDel(ctx context.Context, key string) *StringCmd  { return nil }

type Cmd struct{}

func (*Cmd) Result() (any, error) { return nil, nil }
func (*Cmd) Int() (int, error)    { return 0, nil }
func (*Cmd) Err() error           { return nil }

func (*Client) Eval(ctx context.Context, script string, keys []string, args ...any) *Cmd { return nil }

// Package echo declares what the stories use of github.com/labstack/echo/v4.
package echo

import "net/http"

type Echo struct{}

type HandlerFunc func(c Context) error

type MiddlewareFunc func(next HandlerFunc) HandlerFunc

type Route struct{}

func New() *Echo { return nil }

func (e *Echo) POST(path string, h HandlerFunc, m ...MiddlewareFunc) *Route { return nil }

func (e *Echo) Start(address string) error { return nil }

type Context interface {
	Bind(i interface{}) error
	NoContent(code int) error
	Request() *http.Request
	String(code int, s string) error
}

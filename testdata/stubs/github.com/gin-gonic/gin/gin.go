// Package gin declares what the stories use of github.com/gin-gonic/gin.
package gin

import "net/http"

type H map[string]any

type HandlerFunc func(*Context)

type Context struct{ Request *http.Request }

func (c *Context) Next()                                    {}
func (c *Context) AbortWithStatus(code int)                 {}
func (c *Context) AbortWithStatusJSON(code int, answer any) {}
func (c *Context) Param(key string) string                  { return "" }
func (c *Context) GetHeader(key string) string              { return "" }
func (c *Context) JSON(code int, answer any)                {}
func (c *Context) String(code int, format string, v ...any) {}
func (c *Context) Status(code int)                          {}
func (c *Context) GetRawData() ([]byte, error)              { return nil, nil }

type RouterGroup struct{}

func (g *RouterGroup) Use(middleware ...HandlerFunc)                             {}
func (g *RouterGroup) Group(path string, middleware ...HandlerFunc) *RouterGroup { return g }
func (g *RouterGroup) GET(path string, handlers ...HandlerFunc)                  {}
func (g *RouterGroup) POST(path string, handlers ...HandlerFunc)                 {}

type Engine struct{ RouterGroup }

func New() *Engine { return &Engine{} }

func (e *Engine) Run(addr ...string) error { return nil }

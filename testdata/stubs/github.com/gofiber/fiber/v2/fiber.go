// Package fiber declares what the stories use of github.com/gofiber/fiber/v2.
package fiber

import "context"

type App struct{}

type Handler = func(*Ctx) error

type Router interface{}

func New() *App { return nil }

func (a *App) Post(path string, handlers ...Handler) Router { return nil }

func (a *App) Listen(addr string) error { return nil }

type Ctx struct{}

func (c *Ctx) BodyParser(out interface{}) error { return nil }

func (c *Ctx) Get(key string, defaultValue ...string) string { return "" }

func (c *Ctx) UserContext() context.Context { return nil }

func (c *Ctx) Status(status int) *Ctx { return c }

func (c *Ctx) SendStatus(status int) error { return nil }

func (c *Ctx) SendString(body string) error { return nil }

// Package chi declares what the stories use of github.com/go-chi/chi/v5.
package chi

import "net/http"

type Router interface {
	http.Handler
	Use(middlewares ...func(http.Handler) http.Handler)
	With(middlewares ...func(http.Handler) http.Handler) Router
	Group(fn func(r Router)) Router
	Get(pattern string, h http.HandlerFunc)
	Post(pattern string, h http.HandlerFunc)
}

type Mux struct{}

func NewRouter() *Mux { return &Mux{} }

func (m *Mux) ServeHTTP(w http.ResponseWriter, r *http.Request)           {}
func (m *Mux) Use(middlewares ...func(http.Handler) http.Handler)         {}
func (m *Mux) With(middlewares ...func(http.Handler) http.Handler) Router { return m }
func (m *Mux) Group(fn func(r Router)) Router                             { return m }
func (m *Mux) Get(pattern string, h http.HandlerFunc)                     {}
func (m *Mux) Post(pattern string, h http.HandlerFunc)                    {}

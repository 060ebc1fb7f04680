// Package lru declares what the stories use of the package of this name.
package lru

type Cache[K comparable, V any] struct{}

func New[K comparable, V any](size int) (*Cache[K, V], error) { return &Cache[K, V]{}, nil }

func (*Cache[K, V]) Get(key K) (value V, ok bool) { return value, false }
func (*Cache[K, V]) Add(key K, value V) bool      { return false }

// Package gorm declares what the stories use of the package of this name.
package gorm

import (
	"context"
	"errors"
)

var ErrDuplicatedKey = errors.New("duplicated key not allowed")

type Dialector interface{ Name() string }

type Option interface{ Apply() error }

type DB struct{ Error error }

func Open(dialector Dialector, opts ...Option) (*DB, error) { return &DB{}, nil }

func (db *DB) WithContext(ctx context.Context) *DB { return db }
func (db *DB) Model(value any) *DB                 { return db }
func (db *DB) Where(query any, args ...any) *DB    { return db }
func (db *DB) Count(count *int64) *DB              { return db }
func (db *DB) Create(value any) *DB                { return db }

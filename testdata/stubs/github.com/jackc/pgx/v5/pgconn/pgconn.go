// Package pgconn declares what the stories use of github.com/jackc/pgx/v5/pgconn.
package pgconn

type PgError struct{ Code, Message string }

func (e *PgError) Error() string { return e.Message }

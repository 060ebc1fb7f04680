// Package resend declares what the stories use of the package of this name.
package resend

import "context"

type SendEmailRequest struct {
	From, Subject, Text string
	To                  []string
}

type SendEmailOptions struct{ IdempotencyKey string }

type SendEmailResponse struct{ Id string }

type EmailsSvc interface {
	Send(*SendEmailRequest) (*SendEmailResponse, error)
	SendWithContext(context.Context, *SendEmailRequest) (*SendEmailResponse, error)
	SendWithOptions(context.Context, *SendEmailRequest, *SendEmailOptions) (*SendEmailResponse, error)
}

type Client struct{ Emails EmailsSvc }

func NewClient(key string) *Client { return &Client{} }

// Package slack declares what the stories use of the package of this name.
package slack

type MsgOption func()

type Client struct{}

func New(token string) *Client { return &Client{} }

func MsgOptionText(text string, escape bool) MsgOption { return nil }

func (*Client) PostMessage(channel string, options ...MsgOption) (string, string, error) {
	return "", "", nil
}

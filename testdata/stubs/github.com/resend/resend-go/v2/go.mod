module github.com/resend/resend-go/v2

go 1.23

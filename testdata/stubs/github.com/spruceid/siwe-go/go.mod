module github.com/spruceid/siwe-go

go 1.23

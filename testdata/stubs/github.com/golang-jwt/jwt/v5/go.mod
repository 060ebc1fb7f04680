module github.com/golang-jwt/jwt/v5

go 1.23

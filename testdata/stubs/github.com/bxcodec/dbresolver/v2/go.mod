module github.com/bxcodec/dbresolver/v2

go 1.23

module github.com/AxisCommunications/go-dpop

go 1.23

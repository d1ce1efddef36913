module setpoint.dev/record-cel

go 1.26

require (
	github.com/google/cel-go v0.26.0
	k8s.io/apiextensions-apiserver v0.36.3
	k8s.io/apimachinery v0.36.3
	k8s.io/apiserver v0.36.3
)

package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Application is the reviewed kind.
type Application struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec `json:"spec"`
}

// Spec is the desired state.
type Spec struct {
	Image    string            `json:"image"`
	Replicas int32             `json:"replicas"`
	Port     int32             `json:"port"`
	Env      map[string]string `json:"env,omitempty"`
}

func register(scheme *runtime.Scheme) error {
	version := schema.GroupVersion{Group: "bench.example.com", Version: "v1"}
	scheme.AddKnownTypes(version, &Application{})
	metav1.AddToGroupVersion(scheme, version)
	return nil
}

// DeepCopyObject is required of every kind.
func (a *Application) DeepCopyObject() runtime.Object {
	twin := *a
	a.ObjectMeta.DeepCopyInto(&twin.ObjectMeta)
	twin.Spec.Env = make(map[string]string, len(a.Spec.Env))
	for name, value := range a.Spec.Env {
		twin.Spec.Env[name] = value
	}
	return &twin
}

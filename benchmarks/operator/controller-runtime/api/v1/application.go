// Package v1 has the Application that every program of the benchmark looks after.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is where Applications are served.
var GroupVersion = schema.GroupVersion{Group: "bench.example.com", Version: "v1"}

// Register makes Applications known to a scheme.
func Register(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Application{}, &ApplicationList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}

// Application is an image, how many of it, and the port it is served on.
type Application struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec   `json:"spec"`
	Status            Status `json:"status,omitempty"`
}

// Spec is what is wanted.
type Spec struct {
	Image    string `json:"image"`
	Replicas int32  `json:"replicas"`
	Port     int32  `json:"port"`
}

// Status is where it is reached, and which spec was dealt with.
type Status struct {
	URL                string `json:"url,omitempty"`
	ObservedGeneration int64  `json:"observedGeneration,omitempty"`
}

// ApplicationList is what a list request answers.
type ApplicationList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Application `json:"items"`
}

// DeepCopyObject is required of every kind; only the metadata has pointers.
func (a *Application) DeepCopyObject() runtime.Object {
	twin := *a
	a.ObjectMeta.DeepCopyInto(&twin.ObjectMeta)
	return &twin
}

// DeepCopyObject is required of every kind.
func (l *ApplicationList) DeepCopyObject() runtime.Object {
	twin := *l
	l.ListMeta.DeepCopyInto(&twin.ListMeta)
	twin.Items = make([]Application, 0, len(l.Items))
	for index := range l.Items {
		twin.Items = append(twin.Items, *l.Items[index].DeepCopyObject().(*Application))
	}
	return &twin
}

// Package v1 has the Application that every program of the benchmark reconciles.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and version of Applications.
var GroupVersion = schema.GroupVersion{Group: "bench.example.com", Version: "v1"}

// Register adds Applications to a scheme.
func Register(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Application{}, &ApplicationList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}

// Application has an image, a number of replicas and a port.
type Application struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec   `json:"spec"`
	Status            Status `json:"status,omitempty"`
}

// Spec is the desired state.
type Spec struct {
	Image    string `json:"image"`
	Replicas int32  `json:"replicas"`
	Port     int32  `json:"port"`
}

// Status has the URL and the observed generation.
type Status struct {
	URL                string `json:"url,omitempty"`
	ObservedGeneration int64  `json:"observedGeneration,omitempty"`
}

// ApplicationList is the answer to a list request.
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

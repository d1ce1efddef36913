package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	v1 "setpoint.dev/benchmarks/operator/controller-runtime/api/v1"
)

// reconciler maintains a Deployment, a Service and the status of every Application.
type reconciler struct {
	client client.Client
	scheme *runtime.Scheme
}

func (r *reconciler) register(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).
		For(&v1.Application{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.Service{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(r)
}

// Reconcile writes only the differences from the desired state.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	app := &v1.Application{}
	if err := r.client.Get(ctx, request.NamespacedName, app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if app.DeletionTimestamp != nil {
		return ctrl.Result{}, nil
	}
	place := metav1.ObjectMeta{Namespace: app.Namespace, Name: app.Name}
	deployment := &appsv1.Deployment{ObjectMeta: place}
	service := &corev1.Service{ObjectMeta: place}
	if err := r.keep(ctx, app, deployment, func() { wantDeployment(app, deployment) }); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.keep(ctx, app, service, func() { wantService(app, service) }); err != nil {
		return ctrl.Result{}, err
	}
	status := v1.Status{
		URL:                fmt.Sprintf("http://%s.%s.svc", app.Name, app.Namespace),
		ObservedGeneration: app.Generation,
	}
	if app.Status == status {
		return ctrl.Result{}, nil
	}
	app.Status = status
	return ctrl.Result{}, r.client.Status().Update(ctx, app)
}

// keep creates a child or updates it; CreateOrUpdate sends nothing when want changes nothing.
func (r *reconciler) keep(ctx context.Context, app *v1.Application, child client.Object, want func()) error {
	_, err := controllerutil.CreateOrUpdate(ctx, r.client, child, func() error {
		labels := child.GetLabels()
		if labels == nil {
			labels = map[string]string{}
		}
		labels["app"] = app.Name
		child.SetLabels(labels)
		want()
		return controllerutil.SetControllerReference(app, child, r.scheme)
	})
	return err
}

// wantDeployment keeps server defaults, so that an unchanged Deployment has no differences.
func wantDeployment(app *v1.Application, deployment *appsv1.Deployment) {
	labels := map[string]string{"app": app.Name}
	deployment.Spec.Replicas = &app.Spec.Replicas
	deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	template := &deployment.Spec.Template
	template.Labels = labels
	if len(template.Spec.Containers) != 1 {
		template.Spec.Containers = []corev1.Container{{}}
	}
	container := &template.Spec.Containers[0]
	container.Name = "app"
	container.Image = app.Spec.Image
	container.Ports = []corev1.ContainerPort{
		{ContainerPort: app.Spec.Port, Protocol: corev1.ProtocolTCP},
	}
}

func wantService(app *v1.Application, service *corev1.Service) {
	service.Spec.Selector = map[string]string{"app": app.Name}
	service.Spec.Ports = []corev1.ServicePort{{
		Port:       app.Spec.Port,
		TargetPort: intstr.FromInt32(app.Spec.Port),
		Protocol:   corev1.ProtocolTCP,
	}}
}

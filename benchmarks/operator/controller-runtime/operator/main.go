// The benchmark's operator with controller-runtime: 16 workers, no rate limit in the client.
package main

import (
	"k8s.io/apimachinery/pkg/runtime"
	builtin "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	v1 "setpoint.dev/benchmarks/operator/controller-runtime/api/v1"
)

const workers = 16

func main() {
	ctrl.SetLogger(zap.New())
	if err := run(); err != nil {
		panic(err)
	}
}

func run() error {
	scheme := runtime.NewScheme()
	for _, register := range []func(*runtime.Scheme) error{builtin.AddToScheme, v1.Register} {
		if err := register(scheme); err != nil {
			return err
		}
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.QPS = -1
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                 scheme,
		Metrics:                metrics.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0",
	})
	if err != nil {
		return err
	}
	applications := &reconciler{client: manager.GetClient(), scheme: scheme}
	if err := applications.register(manager); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}

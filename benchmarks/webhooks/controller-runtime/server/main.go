// The benchmark's validating webhook with controller-runtime. Its certificate is in the folder
// CERTIFICATES, and it listens on the port PORT of this machine.
package main

import (
	"os"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

func main() {
	ctrl.SetLogger(zap.New())
	if err := serve(); err != nil {
		panic(err)
	}
}

func serve() error {
	port, err := strconv.Atoi(os.Getenv("PORT"))
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	if err := register(scheme); err != nil {
		return err
	}
	server := webhook.NewServer(webhook.Options{
		Host:    "127.0.0.1",
		Port:    port,
		CertDir: os.Getenv("CERTIFICATES"),
	})
	server.Register(os.Getenv("WEBHOOK_PATH"), admission.WithValidator[*Application](scheme, rules{}))
	return server.Start(ctrl.SetupSignalHandler())
}

// The benchmark's cache program with controller-runtime: a typed informer on all ConfigMaps.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	builtin "k8s.io/client-go/kubernetes/scheme"
	informers "k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
)

func main() {
	ctrl.SetLogger(zap.New())
	if err := run(ctrl.SetupSignalHandler()); err != nil {
		panic(err)
	}
}

func run(ctx context.Context) error {
	expected, err := strconv.Atoi(os.Getenv("CACHE_UPDATES"))
	if err != nil {
		return err
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.QPS = -1
	all, err := cache.New(config, cache.Options{Scheme: builtin.Scheme})
	if err != nil {
		return err
	}
	informer, err := all.GetInformer(ctx, &corev1.ConfigMap{}, cache.BlockUntilSynced(false))
	if err != nil {
		return err
	}
	if _, err := informer.AddEventHandler(countUpdates(os.Getenv("CACHE_ROUND"), expected)); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- all.Start(ctx) }()
	if !all.WaitForCacheSync(ctx) {
		return errors.New("the cache was not filled")
	}
	fmt.Println("listed")
	count, err := count(ctx, all)
	if err != nil {
		return err
	}
	debug.FreeOSMemory()
	fmt.Println("synced", count)
	return <-ended
}

// countUpdates reports when every object that the harness changes in this round was received. An
// informer calls its handlers one after the other.
func countUpdates(round string, expected int) informers.ResourceEventHandlerFuncs {
	seen := 0
	return informers.ResourceEventHandlerFuncs{UpdateFunc: func(_, object any) {
		if object.(*corev1.ConfigMap).Data["round"] != round {
			return
		}
		seen++
		if seen == expected {
			fmt.Println("updated", seen)
		}
	}}
}

// count reads the objects in the cache without copies, which would count as its memory.
func count(ctx context.Context, all cache.Cache) (int, error) {
	list := &corev1.ConfigMapList{}
	err := all.List(ctx, list, client.UnsafeDisableDeepCopy)
	return len(list.Items), err
}

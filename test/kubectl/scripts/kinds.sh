# Every built-in kind that users can create: its stored form, its table, its description.
sed -i "s/NAMESPACE/$(kubectl config view --minify -o jsonpath='{..namespace}')/" core.yaml
kubectl create -f cluster-wide.yaml
kubectl create -f core.yaml
kubectl create -f pods.yaml
kubectl create -f workloads.yaml
kubectl create -f networking.yaml
kubectl patch node kc-node --subresource=status --type=merge -p '{"status":{"capacity":{"cpu":"4","memory":"8Gi","pods":"110"},"allocatable":{"cpu":"3900m","memory":"7Gi","pods":"110"},"addresses":[{"type":"InternalIP","address":"192.0.2.9"},{"type":"Hostname","address":"kc-node"}],"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady","message":"ok","lastHeartbeatTime":"2026-01-01T00:00:00Z","lastTransitionTime":"2026-01-01T00:00:00Z"}],"nodeInfo":{"kubeletVersion":"v1.36.0","osImage":"Linux","kernelVersion":"6.1","containerRuntimeVersion":"containerd://2.0","architecture":"amd64","operatingSystem":"linux","machineID":"m","systemUUID":"s","bootID":"b","kubeProxyVersion":""}}}'
kubectl patch pod full --subresource=status --type=merge -p '{"status":{"phase":"Running","podIP":"10.0.0.5","podIPs":[{"ip":"10.0.0.5"}],"hostIP":"192.0.2.9","hostIPs":[{"ip":"192.0.2.9"}],"startTime":"2026-01-01T00:00:00Z","conditions":[{"type":"Ready","status":"False","reason":"ContainersNotReady","message":"containers with unready status: [helper]","lastTransitionTime":"2026-01-01T00:00:00Z"},{"type":"PodScheduled","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"}],"containerStatuses":[{"name":"main","image":"nginx:1.25","imageID":"nginx@sha256:1","containerID":"containerd://1","ready":true,"started":true,"restartCount":2,"state":{"running":{"startedAt":"2026-01-01T00:00:00Z"}},"lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled","startedAt":"2026-01-01T00:00:00Z","finishedAt":"2026-01-01T00:00:01Z"}}},{"name":"helper","image":"busybox:1","imageID":"","ready":false,"started":false,"restartCount":0,"state":{"waiting":{"reason":"ImagePullBackOff","message":"no"}}}]}}'
kubectl patch deployment web --subresource=status --type=merge -p '{"status":{"replicas":3,"updatedReplicas":3,"readyReplicas":2,"availableReplicas":2,"unavailableReplicas":1,"observedGeneration":1,"conditions":[{"type":"Available","status":"True","reason":"MinimumReplicasAvailable","message":"ok","lastUpdateTime":"2026-01-01T00:00:00Z","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}'
kubectl patch job once --subresource=status --type=merge -p '{"status":{"startTime":"2026-01-01T00:00:00Z","active":2,"succeeded":1,"failed":1,"completedIndexes":"0","ready":1}}'
kubectl patch cronjob often --subresource=status --type=merge -p '{"status":{"lastScheduleTime":"2026-01-01T00:00:00Z","active":[{"apiVersion":"batch/v1","kind":"Job","name":"often-1"}]}}'
kubectl patch service balanced --subresource=status --type=merge -p '{"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.50"},{"hostname":"lb.example.com"}]}}}'
kubectl patch ingress front --subresource=status --type=merge -p '{"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.51"}]}}}'
kubectl patch pvc bound --subresource=status --type=merge -p '{"status":{"phase":"Bound","capacity":{"storage":"5Gi"},"accessModes":["ReadWriteMany"]}}'
kubectl patch pv kc-disk --subresource=status --type=merge -p '{"status":{"phase":"Bound"}}'
kubectl patch hpa web --subresource=status --type=merge -p '{"status":{"currentReplicas":3,"desiredReplicas":4,"lastScaleTime":"2026-01-01T00:00:00Z","currentMetrics":[{"type":"Resource","resource":{"name":"cpu","current":{"averageUtilization":55,"averageValue":"50m"}}}],"conditions":[{"type":"AbleToScale","status":"True","reason":"R","message":"m"}]}}'
kubectl patch pdb calm --subresource=status --type=merge -p '{"status":{"currentHealthy":3,"desiredHealthy":2,"expectedPods":3,"disruptionsAllowed":1,"observedGeneration":1}}'
kubectl patch quota small --subresource=status --type=merge -p '{"status":{"hard":{"services.loadbalancers":"9","requests.storage":"500Gi"},"used":{"services.loadbalancers":"1","requests.storage":"3Gi"}}}'
kubectl patch statefulset db --subresource=status --type=merge -p '{"status":{"replicas":2,"readyReplicas":1,"currentReplicas":1,"updatedReplicas":1,"currentRevision":"db-1","updateRevision":"db-2","observedGeneration":1}}'
kubectl patch daemonset agent --subresource=status --type=merge -p '{"status":{"desiredNumberScheduled":2,"currentNumberScheduled":2,"numberReady":1,"numberMisscheduled":0,"updatedNumberScheduled":1,"numberAvailable":1,"observedGeneration":1}}'
kubectl patch rs copies --subresource=status --type=merge -p '{"status":{"replicas":2,"readyReplicas":2,"availableReplicas":2,"fullyLabeledReplicas":2,"observedGeneration":1}}'
kubectl patch volumeattachment kc-attached --subresource=status --type=merge -p '{"status":{"attached":true}}'
kubectl patch resourceclaim gpu --subresource=status --type=merge -p '{"status":{"allocation":{"devices":{"results":[{"request":"one","driver":"gpu.example.com","pool":"pool","device":"gpu-0"}]}}}}'
kubectl get configmaps -l app=kinds -o wide
kubectl get secrets -l app=kinds -o wide
kubectl get serviceaccounts -l app=kinds -o wide
kubectl get services -l app=kinds -o wide
kubectl get endpoints -l app=kinds -o wide
kubectl get limitranges -l app=kinds -o wide
kubectl get resourcequotas -l app=kinds -o wide
kubectl get podtemplates -l app=kinds -o wide
kubectl get events -l app=kinds -o wide
kubectl get replicationcontrollers -l app=kinds -o wide
kubectl get persistentvolumeclaims -l app=kinds -o wide
kubectl get pods -l app=kinds -o wide
kubectl get deployments -l app=kinds -o wide
kubectl get replicasets -l app=kinds -o wide
kubectl get statefulsets -l app=kinds -o wide
kubectl get daemonsets -l app=kinds -o wide
kubectl get controllerrevisions -l app=kinds -o wide
kubectl get jobs -l app=kinds -o wide
kubectl get cronjobs -l app=kinds -o wide
kubectl get horizontalpodautoscalers -l app=kinds -o wide
kubectl get poddisruptionbudgets -l app=kinds -o wide
kubectl get ingresses -l app=kinds -o wide
kubectl get networkpolicies -l app=kinds -o wide
kubectl get endpointslices -l app=kinds -o wide
kubectl get leases -l app=kinds -o wide
kubectl get roles -l app=kinds -o wide
kubectl get rolebindings -l app=kinds -o wide
kubectl get csistoragecapacities -l app=kinds -o wide
kubectl get resourceclaims -l app=kinds -o wide
kubectl get resourceclaimtemplates -l app=kinds -o wide
kubectl get namespaces -l app=kinds -o wide
kubectl get nodes -l app=kinds -o wide
kubectl get persistentvolumes -l app=kinds -o wide
kubectl get storageclasses -l app=kinds -o wide
kubectl get csidrivers -l app=kinds -o wide
kubectl get csinodes -l app=kinds -o wide
kubectl get volumeattachments -l app=kinds -o wide
kubectl get volumeattributesclasses -l app=kinds -o wide
kubectl get priorityclasses -l app=kinds -o wide
kubectl get runtimeclasses -l app=kinds -o wide
kubectl get ingressclasses -l app=kinds -o wide
kubectl get servicecidrs -l app=kinds -o wide
kubectl get ipaddresses -l app=kinds -o wide
kubectl get clusterroles -l app=kinds -o wide
kubectl get clusterrolebindings -l app=kinds -o wide
kubectl get validatingwebhookconfigurations -l app=kinds -o wide
kubectl get mutatingwebhookconfigurations -l app=kinds -o wide
kubectl get validatingadmissionpolicies -l app=kinds -o wide
kubectl get validatingadmissionpolicybindings -l app=kinds -o wide
kubectl get mutatingadmissionpolicies -l app=kinds -o wide
kubectl get mutatingadmissionpolicybindings -l app=kinds -o wide
kubectl get apiservices -l app=kinds -o wide
kubectl get prioritylevelconfigurations -l app=kinds -o wide
kubectl get flowschemas -l app=kinds -o wide
kubectl get deviceclasses -l app=kinds -o wide
kubectl get resourceslices -l app=kinds -o wide
kubectl describe configmaps -l app=kinds
kubectl describe secrets -l app=kinds
kubectl describe serviceaccounts -l app=kinds
kubectl describe services -l app=kinds
kubectl describe endpoints -l app=kinds
kubectl describe limitranges -l app=kinds
kubectl describe resourcequotas -l app=kinds
kubectl describe podtemplates -l app=kinds
kubectl describe events -l app=kinds
kubectl describe replicationcontrollers -l app=kinds
kubectl describe persistentvolumeclaims -l app=kinds
kubectl describe pods -l app=kinds
kubectl describe deployments -l app=kinds
kubectl describe replicasets -l app=kinds
kubectl describe statefulsets -l app=kinds
kubectl describe daemonsets -l app=kinds
kubectl describe controllerrevisions -l app=kinds
kubectl describe jobs -l app=kinds
kubectl describe cronjobs -l app=kinds
kubectl describe horizontalpodautoscalers -l app=kinds
kubectl describe poddisruptionbudgets -l app=kinds
kubectl describe ingresses -l app=kinds
kubectl describe networkpolicies -l app=kinds
kubectl describe endpointslices -l app=kinds
kubectl describe leases -l app=kinds
kubectl describe roles -l app=kinds
kubectl describe rolebindings -l app=kinds
kubectl describe csistoragecapacities -l app=kinds
kubectl describe resourceclaims -l app=kinds
kubectl describe resourceclaimtemplates -l app=kinds
kubectl describe namespaces -l app=kinds
kubectl describe nodes -l app=kinds
kubectl describe persistentvolumes -l app=kinds
kubectl describe storageclasses -l app=kinds
kubectl describe csidrivers -l app=kinds
kubectl describe csinodes -l app=kinds
kubectl describe volumeattachments -l app=kinds
kubectl describe volumeattributesclasses -l app=kinds
kubectl describe priorityclasses -l app=kinds
kubectl describe runtimeclasses -l app=kinds
kubectl describe ingressclasses -l app=kinds
kubectl describe servicecidrs -l app=kinds
kubectl describe ipaddresses -l app=kinds
kubectl describe clusterroles -l app=kinds
kubectl describe clusterrolebindings -l app=kinds
kubectl describe validatingwebhookconfigurations -l app=kinds
kubectl describe mutatingwebhookconfigurations -l app=kinds
kubectl describe validatingadmissionpolicies -l app=kinds
kubectl describe validatingadmissionpolicybindings -l app=kinds
kubectl describe mutatingadmissionpolicies -l app=kinds
kubectl describe mutatingadmissionpolicybindings -l app=kinds
kubectl describe apiservices -l app=kinds
kubectl describe prioritylevelconfigurations -l app=kinds
kubectl describe flowschemas -l app=kinds
kubectl describe deviceclasses -l app=kinds
kubectl describe resourceslices -l app=kinds
kubectl get -f core.yaml -o yaml
kubectl get -f pods.yaml -o yaml
kubectl get -f workloads.yaml -o yaml
kubectl get -f networking.yaml -o yaml
kubectl get -f cluster-wide.yaml -o yaml
kubectl get all -l app=kinds
kubectl get configmaps,secrets,serviceaccounts,services,endpoints,limitranges,resourcequotas,podtemplates,events,replicationcontrollers,persistentvolumeclaims,pods,deployments,replicasets,statefulsets,daemonsets,controllerrevisions,jobs,cronjobs,horizontalpodautoscalers,poddisruptionbudgets,ingresses,networkpolicies,endpointslices,leases,roles,rolebindings,csistoragecapacities,resourceclaims,resourceclaimtemplates -l app=kinds --show-kind --no-headers
kubectl get events.events.k8s.io -l app=kinds -o yaml
kubectl get hpa.v1.autoscaling web -o yaml
kubectl delete namespaces,nodes,persistentvolumes,storageclasses,csidrivers,csinodes,volumeattachments,volumeattributesclasses,priorityclasses,runtimeclasses,ingressclasses,servicecidrs,ipaddresses,clusterroles,clusterrolebindings,validatingwebhookconfigurations,mutatingwebhookconfigurations,validatingadmissionpolicies,validatingadmissionpolicybindings,mutatingadmissionpolicies,mutatingadmissionpolicybindings,apiservices,prioritylevelconfigurations,flowschemas,deviceclasses,resourceslices -l app=kinds --wait=false
kubectl delete configmaps,secrets,serviceaccounts,services,endpoints,limitranges,resourcequotas,podtemplates,events,replicationcontrollers,persistentvolumeclaims,pods,deployments,replicasets,statefulsets,daemonsets,controllerrevisions,jobs,cronjobs,horizontalpodautoscalers,poddisruptionbudgets,ingresses,networkpolicies,endpointslices,leases,roles,rolebindings,csistoragecapacities,resourceclaims,resourceclaimtemplates -l app=kinds --wait=false
kubectl delete pods --all --force --grace-period=0
kubectl get namespace kc-team -o jsonpath='{.status.phase}'
kubectl get namespace kc-team -o json | sed 's/"kubernetes"//' | kubectl replace --raw /api/v1/namespaces/kc-team/finalize -f - | sed 's/"metadata":.*"spec"/"spec"/'
kubectl get namespace kc-team
kubectl get servicecidrs kc-range -o jsonpath='{.metadata.finalizers}'
kubectl patch servicecidrs kc-range --type=merge -p '{"metadata":{"finalizers":null}}'
for each in pv/kc-disk pv/kc-local volumeattributesclass/kc-gold; do kubectl patch $each --type=merge -p '{"metadata":{"finalizers":null}}'; done
kubectl get pv,volumeattributesclass -l app=kinds

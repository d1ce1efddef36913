# Discovery and documents of the server.
kubectl version
kubectl version -o json | grep -v clientVersion | grep -A20 serverVersion
kubectl version -o yaml
kubectl cluster-info
kubectl api-versions
kubectl api-resources
kubectl api-resources -o wide
kubectl api-resources -o name
kubectl api-resources --no-headers
kubectl api-resources --namespaced=true
kubectl api-resources --namespaced=false -o name
kubectl api-resources --verbs=list,watch -o name
kubectl api-resources --verbs=nothing
kubectl api-resources --api-group=
kubectl api-resources --api-group=apps -o wide
kubectl api-resources --api-group=rbac.authorization.k8s.io
kubectl api-resources --api-group=nothing
kubectl api-resources --categories=all
kubectl api-resources --sort-by=name --api-group=apps
kubectl api-resources --sort-by=kind --api-group=batch
kubectl api-resources --sort-by=wrong
kubectl api-resources -o json | head -5
kubectl api-resources --cached=true --api-group=batch
kubectl explain pods --recursive | grep '<' | grep -v empty | head -80
kubectl explain deployment.spec --recursive | grep '[<-]' | grep -v empty
kubectl explain nothing
kubectl explain pods.absent
kubectl explain pods.spec.containers.absent
kubectl explain deployments --api-version=apps/v9
kubectl explain deployments --api-version=nothing/v1
kubectl explain hpa --api-version=autoscaling/v1 --recursive | grep '<' | grep -v empty
kubectl explain pods --output=nonsense
kubectl explain
kubectl explain pods.spec.containers.resources --recursive | grep '<' | grep -v empty
kubectl get --raw /
kubectl get --raw /api
kubectl get --raw /api/v1 | head -c 3000
kubectl get --raw /apis | head -c 3000
kubectl get --raw /apis/apps
kubectl get --raw /apis/batch/v1
kubectl get --raw /apis/nothing
kubectl get --raw /apis/apps/v9
kubectl get --raw /version
kubectl get --raw /healthz
kubectl get --raw '/healthz?verbose'
kubectl get --raw /livez
kubectl get --raw '/livez?verbose'
kubectl get --raw /livez/ping
kubectl get --raw '/readyz?verbose'
kubectl get --raw '/readyz?verbose&exclude=etcd'
kubectl get --raw /readyz/nothing
kubectl get --raw /openapi/v3 | head -c 30
kubectl get --raw /openid/v1/jwks | head -c 9
kubectl get --raw /.well-known/openid-configuration | grep -o '"issuer":"[^"]*"'
kubectl get --raw /nothing
kubectl get --raw /api/v1/nothing
kubectl get --raw /api/v1/namespaces/default/pods/absent
kubectl get --raw /api/v1/namespaces/default/nothing
kubectl get --raw /api/v1/namespaces/default/pods/absent/nothing
kubectl get --raw /apis/apps/v1/namespaces/default/deployments
kubectl get --raw no-slash
kubectl get namespaces -o name | grep -v 'kubectl-\|kc-'
kubectl get namespace default kube-system -o yaml
kubectl get services -n default
kubectl describe service kubernetes -n default
kubectl get endpoints,endpointslices -n default
kubectl get configmaps -n kube-system -o name
kubectl get configmap extension-apiserver-authentication -n kube-system -o jsonpath='{.kind}'
kubectl get roles,rolebindings -n kube-system -o name
kubectl get roles,rolebindings -n kube-public -o name
kubectl get clusterroles -o name
kubectl get clusterrolebindings -o wide
kubectl get priorityclasses
kubectl describe priorityclass system-node-critical
kubectl get flowschemas
kubectl get prioritylevelconfigurations
kubectl describe flowschema exempt
kubectl describe prioritylevelconfiguration workload-low
kubectl get apiservices
kubectl describe apiservice v1.apps
kubectl get servicecidrs
kubectl describe servicecidr kubernetes
kubectl get ipaddresses
kubectl get validatingadmissionpolicies,validatingadmissionpolicybindings
kubectl get leases -n kube-system -o jsonpath='{.kind}'
kubectl get storageclasses,csidrivers,volumeattachments,runtimeclasses,ingressclasses
kubectl config view --minify -o jsonpath='{.contexts[0].context.namespace}'
kubectl config current-context > /dev/null
kubectl proxy --unix-socket=proxy.sock > /dev/null & sleep 1; curl -s --unix-socket proxy.sock http://localhost/version | grep gitVersion; kill $!
kubectl proxy --unix-socket=proxy.sock > /dev/null & sleep 1; curl -s --unix-socket proxy.sock http://localhost/api/v1/namespaces/default | grep '"name"'; kill $!
kubectl plugin list
kubectl options > /dev/null
kubectl completion nothing
kubectl cluster-info dump --output-directory=dumped --namespaces=default > /dev/null; ls dumped dumped/default
kubectl get pods --request-timeout=5s
kubectl get pods --request-timeout=wrong
kubectl get pods --context=absent
kubectl get pods --v=0
kubectl wait --for=condition=Available apiservice/v1.apps --timeout=2s

# The output formats of `kubectl get`, and how lists are selected, sorted and watched.
kubectl apply -f web.yaml -f settings.yaml -f pod.yaml
kubectl create configmap second --from-literal=a=1
kubectl label configmap second tier=back
kubectl get configmaps -o wide
kubectl get configmap settings -o yaml
kubectl get configmap settings -o json
kubectl get configmaps -o name
kubectl get configmaps,deployments,services -o name
kubectl get configmap settings -o jsonpath='{.data}'
kubectl get configmap settings -o jsonpath='{.metadata.labels.app}{"\n"}'
kubectl get configmaps -o jsonpath='{range .items[*]}{.metadata.name}{"\t"}{.data.a}{"\n"}{end}'
kubectl get configmaps -o jsonpath='{.items[?(@.metadata.name=="second")].data.a}'
kubectl get configmaps -o jsonpath='{.items[*].metadata.name}'
kubectl get configmap settings -o jsonpath='{.nothing}'
kubectl get configmap settings -o jsonpath='{.data['
kubectl get configmap settings -o jsonpath-as-json='{.data}'
echo '{.metadata.name}' > path.txt && kubectl get configmap settings -o jsonpath-file=path.txt
kubectl get configmap settings -o go-template='{{.metadata.name}} {{index .data "a"}}'
kubectl get configmaps -o go-template='{{range .items}}{{.metadata.name}}{{"\n"}}{{end}}'
kubectl get configmaps -o template --template='{{len .items}}'
kubectl get configmap settings -o go-template='{{.nothing.at.all}}'
echo '{{.kind}}' > template.txt && kubectl get configmap settings -o go-template-file=template.txt
kubectl get configmaps -o custom-columns=NAME:.metadata.name,A:.data.a,B:.data.b
kubectl get configmaps -o custom-columns=NAME:.metadata.name --no-headers
printf 'NAME A\n.metadata.name .data.a\n' > columns.txt && kubectl get configmaps -o custom-columns-file=columns.txt
kubectl get configmaps -o custom-columns=NAME
kubectl get configmaps -o nonsense
kubectl get configmaps --show-kind
kubectl get configmaps --show-labels
kubectl get configmaps --no-headers
kubectl get configmaps -L app,tier
kubectl get configmaps,services --show-labels -L app
kubectl get configmaps --sort-by=.metadata.name
kubectl get configmaps --sort-by='{.data.a}'
kubectl get pods --sort-by='.status.containerStatuses[0].restartCount'
kubectl get services --sort-by=.spec.ports[0].port
kubectl get configmaps --sort-by=.metadata.creationTimestamp -o name
kubectl get configmaps --field-selector metadata.name=settings
kubectl get configmaps --field-selector metadata.name!=settings
kubectl get configmaps --field-selector data.a=1
kubectl get configmaps --field-selector metadata.name
kubectl get configmaps --field-selector metadata.name=settings,metadata.namespace=other
kubectl get pods --field-selector status.phase=Pending
kubectl get pods --field-selector status.phase!=Pending
kubectl get pods --field-selector spec.nodeName=
kubectl get pods --field-selector spec.restartPolicy=Always,spec.schedulerName=default-scheduler
kubectl get pods --field-selector spec.containers=c
kubectl get secrets --field-selector type=Opaque
kubectl get events --field-selector involvedObject.kind=Pod,reason=Nothing
kubectl get configmaps -l app
kubectl get configmaps -l '!app'
kubectl get configmaps -l app=web,tier=back
kubectl get configmaps -l 'app in (web,db)'
kubectl get configmaps -l 'tier notin (back),app'
kubectl get configmaps -l 'app in web'
kubectl get configmaps -l 'app=we b'
kubectl get configmaps -l 'a=b=c'
kubectl get configmaps -l '/x=1'
kubectl get configmaps,pods -l app=nothing
kubectl get configmaps --chunk-size=1
kubectl get configmaps --chunk-size=1 -o name
kubectl get configmaps --limit=1
kubectl get configmap settings second
kubectl get configmap/settings deployment/web
kubectl get configmap/settings deployment/absent
kubectl get configmap absent --ignore-not-found
kubectl get configmap absent -o yaml
kubectl get configmap absent -o json --ignore-not-found
kubectl get cm,svc,deploy
kubectl get all
kubectl get all --show-labels
kubectl get all -l app=web -o name
kubectl get -f web.yaml
kubectl get -f web.yaml -o wide
kubectl get -f web.yaml -f settings.yaml -o name
kubectl get -f missing.yaml
kubectl get deployments.apps
kubectl get deployments.v1.apps web
kubectl get deploy/web -o jsonpath='{.spec.strategy}'
kubectl get DEPLOYMENTS
kubectl get Deployment web
kubectl get po,nothing
kubectl get nothing.example.com
kubectl get pods/
kubectl get pods a/b
kubectl get
kubectl get pods -n absent
kubectl get configmaps -n absent
kubectl get pod alone -n absent
kubectl get configmaps -A -l app=web
kubectl get configmaps -A -l app=web -o jsonpath='{.items[*].metadata.name}'
kubectl get configmap settings -A
kubectl get nodes -n default
kubectl get namespace default --show-labels
kubectl get configmap settings --output-watch-events
timeout 2 kubectl get configmaps -w
timeout 2 kubectl get configmap settings -w -o name
timeout 2 kubectl get configmaps -w --output-watch-events
timeout 2 kubectl get configmaps -w --output-watch-events -o jsonpath='{.type} {.object.metadata.name}{"\n"}'
timeout 2 kubectl get configmaps --watch-only
timeout 2 kubectl get configmaps -w -l app=nothing
(sleep 1; kubectl create configmap third --from-literal=x=y; kubectl label configmap third a=b; kubectl delete configmap third) > /dev/null & timeout 4 kubectl get configmaps -w --output-watch-events
(sleep 1; kubectl label configmap second app=web) > /dev/null & timeout 3 kubectl get configmaps -w --output-watch-events -l app=web
(sleep 1; kubectl label configmap second app-) > /dev/null & timeout 3 kubectl get configmaps -w --output-watch-events -l app=web
(sleep 1; kubectl scale deployment web --replicas=4) > /dev/null & timeout 3 kubectl get deployments -w -o wide
timeout 2 kubectl get configmap absent -w
timeout 2 kubectl get configmaps -w --field-selector data.a=1
timeout 2 kubectl get configmaps,deployments -w
kubectl get configmap settings -o yaml --show-managed-fields
kubectl get deployment web -o json --show-managed-fields
kubectl get deployment web --subresource=scale
kubectl get deployment web --subresource=scale -o yaml
kubectl get deployment web --subresource=status -o jsonpath='{.kind}'
kubectl get deployment web --subresource=nothing
kubectl get configmap settings --subresource=status
kubectl get pods --subresource=status
kubectl get --raw "/api/v1/namespaces/$(kubectl config view --minify -o jsonpath='{..namespace}')/configmaps?limit=1&labelSelector=app%3Dnothing"
kubectl get configmaps --server-print=false
kubectl get pods,deployments --server-print=false
kubectl get pods -o wide --server-print=false
kubectl get configmap settings -o kyaml
kubectl get events
kubectl events
kubectl events --for pod/alone
kubectl events --types=Warning
kubectl get lease,endpointslice,ingress,pvc
kubectl get cs etcd-0 -o jsonpath='{.kind}'
kubectl delete -f web.yaml -f settings.yaml -f pod.yaml --wait=false
kubectl delete pods --all --force
kubectl delete configmap second

# apply in all its forms, diff, replace, prune, kustomize.
kubectl apply -f settings.yaml --dry-run=client
kubectl apply -f settings.yaml --dry-run=server
kubectl apply -f settings.yaml --dry-run=server -o yaml
kubectl diff -f settings.yaml
kubectl apply -f settings.yaml
kubectl diff -f settings.yaml
kubectl diff -f settings-changed.yaml
kubectl diff -f settings-changed.yaml --server-side
kubectl diff -f settings.yaml -f web.yaml
kubectl diff -f missing.yaml
kubectl apply -f settings-changed.yaml -o yaml
kubectl apply -f settings-changed.yaml -o json --dry-run=client
kubectl apply -f settings-changed.yaml -o name
kubectl apply view-last-applied -f settings.yaml
kubectl apply view-last-applied configmap/settings -o json
kubectl create configmap unapplied --from-literal=a=b
kubectl apply view-last-applied configmap/unapplied
kubectl apply view-last-applied configmap/absent
kubectl create configmap unapplied --from-literal=a=c --dry-run=client -o yaml | kubectl apply -f -
kubectl get configmap unapplied -o yaml
kubectl apply set-last-applied -f settings.yaml
kubectl apply set-last-applied -f web.yaml
kubectl apply set-last-applied -f pod.yaml --create-annotation
KUBE_EDITOR='sed -i s/"1"/"9"/' kubectl apply edit-last-applied configmap/settings
KUBE_EDITOR=true kubectl apply edit-last-applied configmap/settings
kubectl get configmap settings -o jsonpath='{.metadata.annotations}'
kubectl apply -f web.yaml
kubectl apply -f web.yaml
kubectl scale deployment web --replicas=7
kubectl diff -f web.yaml
kubectl apply -f web.yaml
kubectl get deployment web -o jsonpath='{.spec.replicas} {.metadata.generation}'
kubectl apply -f web-changed.yaml
kubectl get deployment web -o yaml --show-managed-fields
kubectl apply --server-side -f web.yaml
kubectl apply --server-side -f web.yaml --force-conflicts
kubectl get deployment web -o yaml --show-managed-fields
kubectl apply --server-side -f web-changed.yaml --field-manager=other
kubectl apply --server-side -f web-changed.yaml --field-manager=other --force-conflicts
kubectl get deployment web -o jsonpath='{range .metadata.managedFields[*]}{.manager} {.operation} {.subresource}{"\n"}{end}'
kubectl apply --server-side -f web-changed.yaml --field-manager=other
kubectl apply --server-side -f settings.yaml --dry-run=server
kubectl apply --server-side -f settings.yaml --dry-run=client
kubectl apply --force-conflicts -f settings.yaml
kubectl apply --server-side -f settings.yaml -o yaml --show-managed-fields
kubectl apply --server-side -f settings.yaml --force-conflicts -o yaml --show-managed-fields
kubectl apply -f settings.yaml
kubectl apply --server-side -f list.yaml
kubectl apply -f list.yaml
kubectl diff -f list.yaml
kubectl delete -f list.yaml
kubectl apply --server-side --subresource=status -f web.yaml
kubectl apply -f invalid.yaml
kubectl apply --server-side -f invalid.yaml
kubectl apply -f unknown-field.yaml
kubectl apply -f unknown-field.yaml --validate=warn
kubectl apply -f unknown-field.yaml --validate=ignore
kubectl apply --server-side -f unknown-field.yaml
kubectl apply --server-side -f unknown-field.yaml --validate=warn
kubectl apply --server-side -f unknown-field.yaml --validate=ignore
kubectl apply -f settings.yaml --validate=nonsense
sed 's/name: web/name: other/; s/matchLabels: {app: web}/matchLabels: {app: other}/' web.yaml | kubectl apply -f -
sed 's/matchLabels: { app: web }/matchLabels: { app: changed }/; s/labels: { app: web }/labels: { app: changed }/' web.yaml | kubectl apply -f -
kubectl apply -f web.yaml --force --grace-period=0
kubectl apply -f web.yaml -f settings.yaml -f pod.yaml
kubectl apply -f . --dry-run=client -o name 2> /dev/null | head -3
kubectl apply
kubectl apply -f
kubectl apply -f missing.yaml
echo 'not: yaml: at all' | kubectl apply -f -
echo '' | kubectl apply -f -
echo '{"kind":"ConfigMap"}' | kubectl apply -f -
echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{}}' | kubectl apply -f -
echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"a-"}}' | kubectl apply -f -
echo '{"apiVersion":"v1","kind":"Nothing","metadata":{"name":"a"}}' | kubectl apply -f -
echo '{"apiVersion":"example.com/v1","kind":"Nothing","metadata":{"name":"a"}}' | kubectl apply -f -
echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"elsewhere"}}' | kubectl apply -f -
echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"other"}}' | kubectl apply -n third -f -
echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":1}}' | kubectl apply -f -
echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":1}}' | kubectl apply --server-side -f -
echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":[]}' | kubectl apply --validate=false -f -
kubectl apply --prune -f settings.yaml
kubectl apply --prune --all -f settings.yaml --prune-allowlist=core/v1/Secret
kubectl apply -f applyset.yaml
kubectl apply --prune -l set=yes -f applyset-one.yaml --dry-run=client
kubectl apply --prune -l set=yes -f applyset-one.yaml --dry-run=server
kubectl apply --prune -l set=yes -f applyset-one.yaml
kubectl apply --prune -l set=yes -f applyset.yaml --prune-allowlist=core/v1/ConfigMap --prune-allowlist=core/v1/Secret
kubectl apply --prune -l set=yes -f applyset-one.yaml --prune-allowlist=core/v1/Nothing
KUBECTL_APPLYSET=true kubectl apply --server-side --prune --applyset=secret/mine -f applyset.yaml
KUBECTL_APPLYSET=true kubectl apply --server-side --prune --applyset=mine -f applyset.yaml --force-conflicts
KUBECTL_APPLYSET=true kubectl apply --prune --applyset=mine -f applyset-one.yaml
kubectl get secret mine -o yaml
kubectl get configmaps -l applyset.kubernetes.io/part-of -o name
kubectl diff --prune -l set=yes -f applyset-one.yaml
kubectl kustomize kustom
kubectl apply -k kustom
kubectl apply -k kustom
kubectl diff -k kustom
kubectl get -k kustom
kubectl delete -k kustom
kubectl apply -k absent
kubectl replace -f settings.yaml
kubectl replace -f settings-changed.yaml -o yaml
kubectl replace -f settings.yaml --dry-run=client
kubectl replace -f settings.yaml --dry-run=server
kubectl replace -f settings.yaml --force
sed s/settings/absent/ settings.yaml | kubectl replace -f -
sed s/settings/absent/ settings.yaml | kubectl replace --force -f -
kubectl replace -f invalid.yaml
kubectl get configmap settings -o json | sed 's/"resourceVersion": "[0-9]*"/"resourceVersion": "1"/' | kubectl replace -f -
kubectl get configmap settings -o json | sed 's/"uid": "[^"]*"/"uid": "other"/' | kubectl replace -f -
kubectl get deployment web -o json | kubectl replace -f -
kubectl get deployment web -o json | sed 's/"replicas": [0-9]*/"replicas": 9/' | kubectl replace --subresource=status -f -
kubectl get deployment web --subresource=scale -o json | sed 's/"replicas": [0-9]*/"replicas": 9/' | kubectl replace --subresource=scale -f -
kubectl get pod alone -o json | sed 's/"image": "busybox"/"image": "other"/' | kubectl replace -f -
kubectl get pod alone -o json | sed 's/"restartPolicy": "Always"/"restartPolicy": "Never"/' | kubectl replace -f -
kubectl replace --raw "/api/v1/namespaces/$(kubectl config view --minify -o jsonpath='{..namespace}')/configmaps/settings" -f settings.yaml
kubectl delete -f web.yaml -f settings.yaml --wait=false
kubectl delete pods --all --force

# Deletes with all options, and wait.
kubectl apply -f web.yaml -f settings.yaml -f pod.yaml
kubectl wait --for=condition=Ready pod/alone --timeout=1s
kubectl wait --for=condition=Available deployment/web --timeout=1s
kubectl wait --for=jsonpath='{.spec.replicas}'=2 deployment/web --timeout=1s
kubectl wait --for=jsonpath='{.spec.replicas}' deployment/web --timeout=1s
kubectl wait --for=jsonpath='{.spec.replicas}'=3 deployment/web --timeout=1s
kubectl wait --for=jsonpath='{.spec.absent}'=3 deployment/web --timeout=1s
kubectl wait --for=create configmap/settings --timeout=1s
kubectl wait --for=create configmap/absent --timeout=1s
(sleep 1; kubectl create configmap late --from-literal=a=b) > /dev/null & kubectl wait --for=create configmap/late --timeout=10s
kubectl wait --for=delete configmap/absent --timeout=1s
kubectl wait --for=delete configmap/settings --timeout=1s
(sleep 1; kubectl delete configmap late) > /dev/null & kubectl wait --for=delete configmap/late --timeout=10s
kubectl patch deployment web --subresource=status --type=merge -p '{"status":{"conditions":[{"type":"Available","status":"True"}]}}'
kubectl wait --for=condition=Available deployment/web --timeout=1s
kubectl wait --for=condition=Available=false deployment/web --timeout=1s
kubectl wait --for=condition=Available deployment --all --timeout=1s
kubectl wait --for=condition=Available deployment -l app=web --timeout=1s
kubectl wait --for=condition=Available deployment -l app=nothing --timeout=1s
kubectl wait --for=condition=Available deployment/absent --timeout=1s
kubectl wait --for=nonsense deployment/web
kubectl wait deployment/web
kubectl wait --for=condition=Available -f web.yaml --timeout=1s
kubectl delete configmap settings --dry-run=client
kubectl delete configmap settings --dry-run=server
kubectl delete configmap settings -o name
kubectl delete configmap settings
kubectl delete configmap settings --ignore-not-found
kubectl delete configmap
kubectl delete configmap a b --ignore-not-found
kubectl delete
kubectl delete nothing x
kubectl delete configmap/a deployment/b
kubectl delete configmap --all --force
kubectl create configmap one --from-literal=a=b
kubectl create configmap two --from-literal=a=b
kubectl label configmap one gone=yes
kubectl delete configmaps -l gone=yes
kubectl delete configmaps -l gone=yes
kubectl delete configmaps --field-selector metadata.name=two
kubectl delete configmaps --field-selector data.a=b
kubectl delete configmap one --all
kubectl delete configmaps --all
kubectl delete deployment web --cascade=foreground --wait=false
kubectl get deployment web -o jsonpath='{.metadata.finalizers} {.metadata.deletionGracePeriodSeconds}'
kubectl delete deployment web --wait=false
kubectl label deployment web still=here
kubectl patch deployment web --type=merge -p '{"metadata":{"finalizers":["example.com/more"]}}'
kubectl patch deployment web --type=merge -p '{"metadata":{"finalizers":null}}'
kubectl get deployment web
kubectl apply -f web.yaml
kubectl delete deployment web --cascade=orphan --wait=false
kubectl get deployment web -o jsonpath='{.metadata.finalizers}'
kubectl patch deployment web --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'
kubectl apply -f web.yaml
kubectl delete deployment web --cascade=wrong
kubectl delete deployment web --cascade=background
kubectl delete service web --now
kubectl delete pod alone --grace-period=5 --wait=false
kubectl delete pod alone --now --wait=false
kubectl delete pod alone --force
kubectl delete pod alone --grace-period=0
kubectl apply -f pod.yaml
kubectl delete pod alone --grace-period=0 --force --wait=false
kubectl create configmap held --from-literal=a=b
kubectl patch configmap held --type=merge -p '{"metadata":{"finalizers":["example.com/hold"]}}'
kubectl delete configmap held --timeout=1s
kubectl get configmap held -o yaml
kubectl describe configmap held
kubectl delete configmap held --wait=false
kubectl apply view-last-applied configmap held
kubectl patch configmap held --type=json -p '[{"op":"remove","path":"/metadata/finalizers/0"}]'
kubectl get configmap held
kubectl create configmap bad --from-literal=a=b
kubectl patch configmap bad --type=merge -p '{"metadata":{"finalizers":["bad"]}}'
kubectl delete -f web.yaml -f settings.yaml
kubectl delete -f web.yaml --ignore-not-found
kubectl delete --raw "/api/v1/namespaces/$(kubectl config view --minify -o jsonpath='{..namespace}')/configmaps/absent"
kubectl delete --raw "/api/v1/namespaces/$(kubectl config view --minify -o jsonpath='{..namespace}')/configmaps/bad"
kubectl create job finished --image=busybox
kubectl delete job finished
kubectl create job finished --image=busybox
kubectl delete job finished --cascade=background
kubectl create namespace kc-gone
kubectl create configmap inside -n kc-gone --from-literal=a=b
kubectl delete namespace kc-gone --wait=false
kubectl get namespace kc-gone
kubectl get namespace kc-gone -o jsonpath='{.spec} {.status.phase}'
kubectl create configmap more -n kc-gone --from-literal=a=b
kubectl label configmap inside -n kc-gone a=b
kubectl delete configmap inside -n kc-gone
kubectl delete namespace kc-gone --wait=false
kubectl get namespace kc-gone -o json | sed 's/"kubernetes"//' | kubectl replace --raw /api/v1/namespaces/kc-gone/finalize -f - | head -c 40
kubectl get namespace kc-gone
kubectl delete namespace kube-system
kubectl delete namespace absent
kubectl delete serviceaccount default
kubectl delete all --all

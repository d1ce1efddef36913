# Authorization: auth, impersonation, certificates, tokens.
kubectl auth whoami
kubectl auth whoami -o yaml
kubectl auth whoami -o json
kubectl auth whoami --as=jane --as-group=devs --as-uid=u1
kubectl auth whoami --as-group=devs
kubectl auth can-i create pods
kubectl auth can-i '*' '*'
kubectl auth can-i get pods --as=jane
kubectl auth can-i get pods --as=jane -q
kubectl auth can-i get pods/log --as=jane
kubectl auth can-i get pods --subresource=log --as=jane
kubectl auth can-i get /healthz --as=system:anonymous
kubectl auth can-i get /metrics --as=jane
kubectl auth can-i fly pods
kubectl auth can-i get nothings
kubectl auth can-i get nodes -n default --as=jane
kubectl auth can-i get pods -A --as=jane
kubectl auth can-i delete pod/alone --as=jane
kubectl auth can-i --list
kubectl auth can-i --list --as=jane
kubectl auth can-i --list --as=jane --as-group=system:masters
kubectl auth can-i --list --as=system:serviceaccount:kube-system:default
kubectl auth can-i
kubectl create serviceaccount robot
kubectl create role reader --verb=get,list --resource=pods,configmaps
kubectl create rolebinding readers --role=reader --user=jane --serviceaccount="$(kubectl config view --minify -o jsonpath='{..namespace}'):robot"
kubectl auth can-i get pods --as=jane
kubectl auth can-i get pods --as=jane -n default
kubectl auth can-i --list --as=jane
kubectl get pods --as=jane
kubectl get secrets --as=jane
kubectl get secret absent --as=jane
kubectl get nodes --as=jane
kubectl get pods -A --as=jane
kubectl create configmap x --from-literal=a=b --as=jane
kubectl delete pod x --as=jane
kubectl delete pods --all --as=jane
kubectl patch configmap x -p '{}' --as=jane
kubectl apply -f settings.yaml --as=jane
kubectl apply --server-side -f settings.yaml --as=jane
kubectl label namespace default a=b --as=jane
kubectl scale deployment web --replicas=1 --as=jane
kubectl logs x --as=jane
kubectl exec x --as=jane -- ls
kubectl get --raw /metrics --as=jane
kubectl get --raw /healthz --as=system:anonymous
kubectl get pods --as=jane --as-group=system:masters
kubectl get pods --as=system:anonymous
kubectl get pods --as-group=devs
kubectl get pods --as=jane --as-user-extra=reason=test
kubectl create role escalate --verb='*' --resource=secrets --as=jane
kubectl create rolebinding admins --clusterrole=cluster-admin --user=jane
kubectl auth can-i '*' '*' --as=jane
kubectl create role bigger --verb='*' --resource=nodes --as=jane
kubectl create clusterrolebinding kc-admins --clusterrole=cluster-admin --user=jane --as=jane
kubectl create rolebinding more --clusterrole=view --user=joe --as=jane
kubectl delete rolebinding admins
kubectl create rolebinding granting --clusterrole=admin --user=tom
kubectl create role owned --verb=get --resource=nodes --as=tom
kubectl patch rolebinding readers --type=merge -p '{"roleRef":{"name":"other"}}'
kubectl --token=nonsense get pods
kubectl --username=a --password=b get pods
kubectl --token="$(kubectl create token robot)" auth whoami
kubectl --kubeconfig=/dev/null --server="$(kubectl config view --minify -o jsonpath='{..server}')" --insecure-skip-tls-verify get pods
kubectl --kubeconfig=/dev/null --server="$(kubectl config view --minify -o jsonpath='{..server}')" --insecure-skip-tls-verify --token="$(kubectl create token robot)" get configmaps
kubectl --kubeconfig=/dev/null --server="$(kubectl config view --minify -o jsonpath='{..server}')" --insecure-skip-tls-verify --token="$(kubectl create token robot)" get secrets
kubectl --kubeconfig=/dev/null --server="$(kubectl config view --minify -o jsonpath='{..server}')" --insecure-skip-tls-verify --token="$(kubectl create token robot)" auth whoami
kubectl --kubeconfig=/dev/null --server="$(kubectl config view --minify -o jsonpath='{..server}')" --insecure-skip-tls-verify --token="$(kubectl create token robot --audience=other)" get configmaps
kubectl --kubeconfig=/dev/null --server="$(kubectl config view --minify -o jsonpath='{..server}')" get pods
kubectl --server=https://127.0.0.1:1 get pods
sed "s/metadata: {/metadata: { namespace: $(kubectl config view --minify -o jsonpath='{..namespace}'),/" rbac.yaml > placed.yaml; kubectl auth reconcile -f placed.yaml
kubectl auth reconcile -f placed.yaml --dry-run=server
kubectl auth reconcile -f settings.yaml 2>&1 | head -2
sed 's/watch\]/watch, create]/' placed.yaml | kubectl auth reconcile -f -
kubectl get role reader -o yaml
openssl req -new -newkey rsa:2048 -nodes -subj /O=devs/CN=jane -keyout jane.key -out jane.csr 2> /dev/null; printf '{"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest","metadata":{"name":"kc-jane"},"spec":{"request":"%s","signerName":"kubernetes.io/kube-apiserver-client","usages":["client auth"],"expirationSeconds":3600}}' "$(base64 -w0 < jane.csr)" | kubectl create -f -
kubectl get csr
kubectl get csr -o wide
kubectl describe csr kc-jane
kubectl certificate approve kc-jane
kubectl certificate approve kc-jane
kubectl certificate deny kc-jane
kubectl get csr kc-jane -o jsonpath='{.status.conditions}'
kubectl certificate approve absent
kubectl certificate deny kc-jane --force
kubectl delete csr kc-jane
printf '{"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest","metadata":{"name":"kc-joe"},"spec":{"request":"%s","signerName":"kubernetes.io/kube-apiserver-client","usages":["client auth"]}}' "$(base64 -w0 < jane.csr)" | kubectl create -f -
kubectl certificate deny kc-joe
kubectl get csr kc-joe
kubectl delete csr kc-joe
printf '{"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest","metadata":{"name":"kc-bad"},"spec":{"request":"bm8=","signerName":"x","usages":["fly"]}}' | kubectl create -f -
echo '{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"jane","resourceAttributes":{"verb":"get","resource":"pods"}}}' | kubectl create -f - -o yaml
echo '{"apiVersion":"authorization.k8s.io/v1","kind":"LocalSubjectAccessReview","metadata":{"namespace":"default"},"spec":{"user":"jane","resourceAttributes":{"namespace":"default","verb":"get","resource":"pods"}}}' | kubectl create -n default -f - -o yaml
echo '{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{"nonResourceAttributes":{"verb":"get","path":"/x"}}}' | kubectl create -f - -o yaml
echo '{"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","spec":{"token":"nonsense"}}' | kubectl create -f - -o yaml
echo '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}' | kubectl create -f - -o yaml
kubectl get clusterrole view -o jsonpath='{.aggregationRule}'
kubectl get clusterrole cluster-admin -o yaml
kubectl describe clusterrole system:basic-user
kubectl describe clusterrolebinding system:basic-user
kubectl delete role,rolebinding,serviceaccount --all

# Everyday commands.
kubectl version
kubectl api-versions
kubectl api-resources --api-group=apps
kubectl api-resources --namespaced=false --verbs=list,get
kubectl api-resources -o wide --api-group=batch
kubectl get namespaces
kubectl get ns default -o name
kubectl get all
kubectl get pods
kubectl get nothing
kubectl get deployments.v9.apps
kubectl create configmap made --from-literal=a=b --from-literal=c=d
kubectl create configmap made --from-literal=a=b
kubectl create secret generic hidden --from-literal=password=x
kubectl create secret tls broken --cert=web.yaml --key=web.yaml
kubectl create serviceaccount robot
kubectl create role reader --verb=get,list --resource=pods
kubectl create rolebinding reader --role=reader --serviceaccount=default:robot
kubectl create clusterrole kubectl-reader --verb=get --resource=nodes --dry-run=server -o yaml
kubectl create deployment made --image=nginx --replicas=2
kubectl create job once --image=busybox -- date
kubectl create cronjob often --image=busybox '--schedule=*/5 * * * *' -- date
kubectl create service clusterip plain --tcp=80:8080 --clusterip=10.96.1.1
kubectl create service externalname out --external-name=example.com
kubectl create ingress front '--rule=example.com/*=web:80'
kubectl create quota small --hard=pods=3,cpu=2
kubectl create pdb calm --selector=app=web --min-available=1
kubectl create priorityclass kubectl-high --value=100 --dry-run=server -o name
kubectl create namespace kubectl-made --dry-run=server
kubectl create token robot --duration=1m
kubectl get configmap made -o yaml
kubectl get configmap made -o json
kubectl get configmap made -o 'jsonpath={.data.a}'
kubectl get configmaps
kubectl get secrets
kubectl get serviceaccounts
kubectl get roles,rolebindings
kubectl get deployments,jobs,cronjobs
kubectl get deployments -o wide
kubectl get jobs -o wide
kubectl get cronjobs -o wide
kubectl get services -o wide
kubectl get ingresses
kubectl get resourcequotas
kubectl get poddisruptionbudgets
kubectl get configmap absent
kubectl get configmap made absent
kubectl delete service plain
kubectl delete deployment made
kubectl delete job once --cascade=orphan
kubectl delete cronjob often
kubectl apply -f settings.yaml
kubectl apply -f settings.yaml
kubectl diff -f settings-changed.yaml
kubectl apply -f settings-changed.yaml
kubectl get configmap settings -o yaml
kubectl apply -f settings.yaml --dry-run=server
kubectl apply view-last-applied configmap settings
kubectl apply --server-side -f settings.yaml
kubectl apply --server-side --force-conflicts -f settings.yaml
kubectl get configmap settings -o yaml --show-managed-fields
kubectl apply -f web.yaml
kubectl apply -f web-changed.yaml
kubectl get deployment web -o yaml
kubectl get deployment web -o 'jsonpath={.metadata.generation}'
kubectl rollout history deployment/web
kubectl rollout pause deployment/web
kubectl rollout resume deployment/web
kubectl rollout status deployment/web --timeout=1s
kubectl set image deployment/web web=nginx:1.27
kubectl set env deployment/web A=1 B=2
kubectl set resources deployment/web --limits=cpu=200m,memory=64Mi
kubectl get deployment web -o 'jsonpath={.spec.template.spec.containers[0]}'
kubectl scale deployment/web --replicas=5
kubectl scale deployment/web --current-replicas=9 --replicas=1
kubectl autoscale deployment/web --min=1 --max=3 --cpu=50%
kubectl get hpa
kubectl label deployment web tier=back
kubectl label deployment web tier=back --overwrite
kubectl label deployment web tier-
kubectl label deployment web bad/key/here=1
kubectl annotate deployment web note=hello
kubectl get deployments --show-labels -l app=web
kubectl get deployments -L app
kubectl get deployments -l 'app!=web'
kubectl get deployments --field-selector metadata.name=web
kubectl get deployments --field-selector spec.replicas=5
kubectl get deployments --sort-by=.metadata.name
kubectl get deployments -o custom-columns=NAME:.metadata.name,N:.spec.replicas
kubectl get deployments -A -l app=web
kubectl patch deployment web -p '{"spec":{"minReadySeconds":5}}'
kubectl patch deployment web --type=json -p '[{"op":"replace","path":"/spec/replicas","value":1}]'
kubectl patch deployment web --type=json -p '[{"op":"test","path":"/spec/replicas","value":7}]'
kubectl patch deployment web --type=merge -p '{"metadata":{"labels":{"x":"y"}}}'
kubectl patch deployment web -p '{"spec":{"replicas":-1}}'
kubectl patch deployment web --subresource=status --type=merge -p '{"status":{"replicas":2}}'
kubectl get deployment web --subresource=status
kubectl expose deployment web --port=8080 --name=web2 --cluster-ip=None
kubectl replace -f settings.yaml
kubectl replace -f web-changed.yaml --dry-run=server -o name
kubectl describe configmap settings
kubectl describe secret hidden
kubectl describe role reader
kubectl describe service web
kubectl describe pdb calm
kubectl describe resourcequota small
kubectl create -f unknown-field.yaml
kubectl create -f unknown-field.yaml --validate=warn
kubectl create -f unknown-field.yaml --validate=ignore --dry-run=server
kubectl create -f invalid.yaml
kubectl apply -f invalid.yaml
kubectl apply -f crd.yaml
kubectl wait --for=condition=Established crd/crontabs.kubectl.example.com --timeout=20s
kubectl get crd crontabs.kubectl.example.com
kubectl api-resources --api-group=kubectl.example.com
sleep 3 && kubectl explain crontabs
kubectl explain crontabs.spec
kubectl explain crontabs --recursive
kubectl explain crontabs.nothing
kubectl apply -f crontab.yaml
kubectl create -f crontab-invalid.yaml
kubectl create -f crontab-unknown.yaml
kubectl get crontabs
kubectl get ct -o wide
kubectl get ct nightly -o yaml
kubectl scale crontab nightly --replicas=3
kubectl scale crontab nightly --replicas=0
kubectl patch ct nightly --type=merge -p '{"spec":{"image":"alpine"}}'
kubectl patch ct nightly --type=strategic -p '{"spec":{"image":"x"}}'
kubectl patch ct nightly --subresource=status --type=merge -p '{"status":{"phase":"Ready"}}'
kubectl wait '--for=jsonpath={.status.phase}=Ready' ct/nightly --timeout=5s
kubectl get ct nightly -o 'jsonpath={.metadata.generation}'
kubectl describe ct nightly
kubectl label ct nightly a=b
KUBE_EDITOR='sed -i s/alpine/debian/' kubectl edit ct nightly
kubectl delete ct nightly
kubectl delete ct nightly
kubectl delete ct nightly --ignore-not-found
kubectl apply -f pod.yaml
kubectl get pods
kubectl get pods -o wide
kubectl get pod alone -o yaml
kubectl describe pod alone
kubectl logs alone
kubectl exec alone -- ls
kubectl wait --for=condition=Ready pod/alone --timeout=1s
kubectl delete pod alone --grace-period=0 --force
kubectl delete pods --all
kubectl get events
kubectl auth can-i create pods
kubectl auth can-i get pods --as=jane
kubectl auth can-i --list --as=system:serviceaccount:default:robot
kubectl auth whoami
kubectl auth reconcile -f settings.yaml
kubectl get pods --as=jane
kubectl get --raw /healthz
kubectl get --raw /readyz
kubectl get --raw /version
kubectl get --raw /nothing
kubectl get --raw /apis/apps
kubectl apply --prune -l app=web -f settings.yaml --prune-allowlist=core/v1/ConfigMap
kubectl delete -f web.yaml
kubectl delete configmap,secret,role,rolebinding,serviceaccount,hpa,pdb,quota,ingress,service --all
kubectl get configmaps
kubectl delete crd crontabs.kubectl.example.com
kubectl get crontabs
kubectl cluster-info
kubectl get componentstatuses etcd-0
kubectl get storageclasses
kubectl get clusterroles -o name
kubectl get clusterrolebindings -o name
kubectl get priorityclasses
kubectl get flowschemas -o name
kubectl get nodes
kubectl delete namespace default

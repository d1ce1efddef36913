# Commands that need a node when there is none, and commands on nodes.
echo '{"apiVersion":"v1","kind":"Node","metadata":{"name":"kc-n1","labels":{"disk":"ssd"}}}' | kubectl create -f -
kubectl get node kc-n1
kubectl get node kc-n1 -o yaml
kubectl describe node kc-n1
kubectl taint node kc-n1 a=b:NoSchedule
kubectl taint node kc-n1 a=b:NoSchedule
kubectl taint node kc-n1 a=c:NoSchedule
kubectl taint node kc-n1 a=c:NoSchedule --overwrite
kubectl taint node kc-n1 x:NoExecute y=1:PreferNoSchedule
kubectl taint node kc-n1 a=b:Wrong
kubectl taint node kc-n1 'a b=c:NoSchedule'
kubectl taint node kc-n1 a-
kubectl taint node kc-n1 absent-
kubectl taint node kc-n1 x:NoExecute-
kubectl taint node kc-n1 y=1:PreferNoSchedule- --dry-run=server
kubectl taint node absent a=b:NoSchedule
kubectl taint nodes -l disk=ssd z:NoSchedule
kubectl get node kc-n1 -o jsonpath='{.spec.taints}'
kubectl cordon kc-n1
kubectl cordon kc-n1
kubectl cordon kc-n1 --dry-run=server
kubectl get node kc-n1
kubectl uncordon kc-n1
kubectl uncordon kc-n1
kubectl cordon absent
kubectl drain kc-n1 --dry-run=client
kubectl drain kc-n1 --dry-run=server
kubectl apply -f pod.yaml
kubectl create --raw "/api/v1/namespaces/$(kubectl config view --minify -o jsonpath='{..namespace}')/pods/alone/binding" -f - <<< '{"apiVersion":"v1","kind":"Binding","metadata":{"name":"alone"},"target":{"kind":"Node","name":"kc-n1"}}'
kubectl get pod alone -o wide
kubectl get pod alone -o jsonpath='{.status.conditions[*].type}'
kubectl drain kc-n1 --dry-run=client
kubectl drain kc-n1 --dry-run=client --force
kubectl drain kc-n1 --timeout=1s
kubectl drain kc-n1 --force --dry-run=server
kubectl drain kc-n1 --force --grace-period=0 --timeout=5s
kubectl drain kc-n1 --force --disable-eviction --timeout=2s
kubectl get pod alone
kubectl uncordon kc-n1
kubectl describe node kc-n1
kubectl top node
kubectl top pods
kubectl apply -f pod.yaml
kubectl logs alone
kubectl logs alone -c absent
kubectl logs alone --previous
kubectl logs absent
kubectl logs -l app=alone
kubectl logs -l app=nothing
kubectl logs deployment/absent
kubectl logs alone --since=1h --tail=5
kubectl logs alone --since=-1h
kubectl logs alone -f --tail=-5
kubectl exec alone -- ls
kubectl exec alone -c absent -- ls
kubectl exec absent -- ls
kubectl exec alone
kubectl exec -it alone -- sh
kubectl attach alone
kubectl attach absent
kubectl port-forward pod/alone 18080:80
kubectl port-forward pod/absent 18080:80
kubectl port-forward service/absent 18080:80
kubectl cp alone:/x ./x
kubectl cp settings.yaml alone:/x
kubectl cp settings.yaml absent:/x
kubectl debug alone --image=busybox --target=c --container=dbg -q
kubectl get pod alone -o jsonpath='{.spec.ephemeralContainers}'
kubectl debug node/absent --image=busybox
kubectl debug alone --image=busybox --copy-to=copied -c extra
kubectl get pods
kubectl describe pod copied
kubectl create deployment logged --image=busybox
kubectl logs deployment/logged --timeout=1s 2>&1 | head -3
kubectl exec deployment/logged --pod-running-timeout=1s -- ls
kubectl delete node kc-n1
kubectl delete node kc-n1
kubectl delete pods --all --force
kubectl delete deployment logged

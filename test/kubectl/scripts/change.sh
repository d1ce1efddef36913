# Changing objects: patch, edit, label, annotate, scale, set, rollout, autoscale.
kubectl apply -f web.yaml -f settings.yaml -f pod.yaml -f workloads.yaml
kubectl patch configmap settings -p '{"data":{"new":"x"}}'
kubectl patch configmap settings -p '{"data":{"new":"x"}}'
kubectl patch configmap settings -p '{"data":{"new":null}}' -o yaml
kubectl patch configmap settings -p 'data: {fromYaml: "y"}' -o jsonpath='{.data}'
kubectl patch configmap settings --type=merge -p '{"data":null}' -o json
kubectl patch configmap settings --type=json -p '[{"op":"add","path":"/data","value":{"k":"v"}}]'
kubectl patch configmap settings --type=json -p '[{"op":"remove","path":"/data/absent"}]'
kubectl patch configmap settings --type=json -p '[{"op":"replace","path":"/data/absent/x","value":"1"}]'
kubectl patch configmap settings --type=json -p '[{"op":"test","path":"/data/k","value":"w"}]'
kubectl patch configmap settings --type=json -p '[{"op":"copy","from":"/data/k","path":"/data/l"},{"op":"move","from":"/data/k","path":"/data/m"}]' -o jsonpath='{.data}'
kubectl patch configmap settings --type=json -p '{"op":"add"}'
kubectl patch configmap settings --type=json -p '[{"op":"fly","path":"/data"}]'
kubectl patch configmap settings --type=json -p 'nonsense'
kubectl patch configmap settings -p 'nonsense'
kubectl patch configmap settings -p '{"data":5}'
kubectl patch configmap settings -p '{"data":{"x":5}}'
kubectl patch configmap settings --type=merge -p '{"data":{"x":5}}'
kubectl patch configmap settings --type=json -p '[{"op":"add","path":"/data/x","value":5}]'
kubectl patch configmap settings -p '{"metadata":{"name":"other"}}'
kubectl patch configmap settings -p '{"metadata":{"resourceVersion":"1"}}'
kubectl patch configmap settings -p '{"metadata":{"uid":"x"}}'
kubectl patch configmap settings -p '{"metadata":{"labels":{"a b":"c"}}}'
kubectl patch configmap settings -p '{"unknown":{"a":"b"}}'
kubectl patch configmap settings --type=wrong -p '{}'
kubectl patch configmap absent -p '{}'
kubectl patch configmap settings
kubectl patch -f settings.yaml -p '{"data":{"f":"1"}}'
kubectl patch -f settings.yaml -p '{"data":{"f":"2"}}' --dry-run=client -o yaml
kubectl patch -f settings.yaml -p '{"data":{"f":"2"}}' --dry-run=server -o yaml
kubectl patch -f settings.yaml --local -p '{"data":{"f":"2"}}' -o yaml
echo '{"data":{"g":"1"}}' > patch.json && kubectl patch configmap settings --patch-file=patch.json
kubectl patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"nginx:2"}]}}}}' -o jsonpath='{.spec.template.spec.containers}'
kubectl patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"more","image":"more"}]}}}}' -o jsonpath='{.spec.template.spec.containers[*].name}'
kubectl patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"$patch":"delete","name":"more"}]}}}}' -o jsonpath='{.spec.template.spec.containers[*].name}'
kubectl patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"image":"x"}]}}}}'
kubectl patch deployment web -p '{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}}' -o jsonpath='{.spec.strategy}'
kubectl patch deployment web --type=merge -p '{"spec":{"template":{"spec":{"containers":[{"name":"only","image":"only"}]}}}}' -o jsonpath='{.spec.template.spec.containers}'
kubectl patch deployment web -p '{"spec":{"selector":{"matchLabels":{"app":"other"}}}}'
kubectl patch deployment web -p '{"spec":{"replicas":"three"}}'
kubectl patch deployment web -p '{"spec":{"replicas":-3}}'
kubectl patch deployment web --subresource=status --type=merge -p '{"status":{"readyReplicas":1,"replicas":2}}' -o jsonpath='{.status}'
kubectl patch deployment web --subresource=status --type=merge -p '{"status":{"readyReplicas":-1}}'
kubectl patch deployment web --subresource=scale --type=merge -p '{"spec":{"replicas":4}}' -o yaml
kubectl patch deployment web --subresource=nothing -p '{}'
kubectl patch configmap settings --subresource=status -p '{}'
kubectl patch pod alone -p '{"spec":{"containers":[{"name":"c","image":"busybox:2"}]}}'
kubectl patch pod alone -p '{"spec":{"containers":[{"name":"c","command":["x"]}]}}'
kubectl patch pod alone --subresource=resize -p '{"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}'
kubectl patch pod alone --subresource=status -p '{"status":{"phase":"Running"}}'
kubectl patch service web -p '{"spec":{"clusterIP":"10.96.1.99"}}'
kubectl patch service web -p '{"spec":{"type":"NodePort"}}' -o jsonpath='{.spec.type}'
kubectl patch service web -p '{"spec":{"type":"ExternalName"}}'
KUBE_EDITOR='sed -i s/fromYaml/edited/' kubectl edit configmap settings
KUBE_EDITOR='sed -i s/app:.web/app:\ edited/' kubectl edit configmap settings -o json
KUBE_EDITOR=true kubectl edit configmap settings
KUBE_EDITOR='sed -i s/replicas:.4/replicas:\ 6/' kubectl edit deployment web
KUBE_EDITOR='sed -i s/readyReplicas:.1/readyReplicas:\ 2/' kubectl edit deployment web --subresource=status
KUBE_EDITOR='sed -i s/replicas:.6/replicas:\ 5/' kubectl edit deployment web --subresource=scale
KUBE_EDITOR='sed -i s/Container/x/' kubectl edit configmap absent
KUBE_EDITOR='sed -i s/replicas:/unknown:/' kubectl edit deployment web 2>&1 | sed 's/kubectl-edit-[0-9]*/EDIT/'
KUBE_EDITOR='sed -i s/^data:/dada:/' kubectl edit configmap settings --validate=warn 2>&1 | sed 's/kubectl-edit-[0-9]*/EDIT/'
KUBE_EDITOR='sed -i s/a/b/' kubectl edit nothing x
kubectl label configmap settings a=1 b=2
kubectl label configmap settings a=1
kubectl label configmap settings a=2
kubectl label configmap settings a=2 --overwrite
kubectl label configmap settings a- absent-
kubectl label configmap settings --list | sort
kubectl label configmaps --all all=yes
kubectl label configmaps -l all=yes picked=yes
kubectl label configmap settings c=3 --resource-version=1
kubectl label configmap settings c=3 --dry-run=server -o yaml
kubectl label configmap settings c=3 --dry-run=client
kubectl label configmap settings 'bad key=1'
kubectl label configmap settings key='bad value'
kubectl label configmap settings "key=$(printf 'a%.0s' $(seq 64))"
kubectl label configmap settings
kubectl label configmap settings a=1 a-
kubectl label -f settings.yaml from=file
kubectl label configmap absent a=b
kubectl label deployment,service web both=yes
kubectl label namespace "$(kubectl config view --minify -o jsonpath='{..namespace}')" team=a
kubectl annotate configmap settings note='two words' other=x
kubectl annotate configmap settings note=changed
kubectl annotate configmap settings note=changed --overwrite
kubectl annotate configmap settings note-
kubectl annotate configmap settings --list | sort
kubectl annotate configmaps --all every=one
kubectl annotate configmap settings 'bad key=1'
kubectl annotate configmap settings a=b --resource-version=1
kubectl annotate -f settings.yaml from=file --dry-run=server -o jsonpath='{.metadata.annotations}'
kubectl annotate configmap absent a=b
kubectl scale deployment web --replicas=2
kubectl scale deployment/web statefulset/db rs/copies --replicas=1
kubectl scale deployment web --replicas=3 --current-replicas=2
kubectl scale deployment web --replicas=3 --current-replicas=9
kubectl scale deployment web --replicas=-1
kubectl scale deployment web
kubectl scale deployment absent --replicas=1
kubectl scale configmap settings --replicas=1
kubectl scale job once --replicas=1
kubectl scale daemonset agent --replicas=1
kubectl scale -f web.yaml --replicas=2
kubectl scale deployment web --replicas=2 --resource-version=1
kubectl scale deployment web --replicas=8 --dry-run=server
kubectl scale deployment --all --replicas=1
kubectl scale deployment web --replicas=3 --timeout=1s
kubectl set image deployment/web only=nginx:3
kubectl set image deployment/web only=nginx:3
kubectl set image deployment/web absent=nginx:3
kubectl set image deployment,statefulset --all '*=same:1'
kubectl set image deployment/web only=nginx:4 --local -o yaml
kubectl set image -f web.yaml web=nginx:5 --dry-run=server -o jsonpath='{.spec.template.spec.containers[0].image}'
kubectl set image deployment/web only=
kubectl set image pod/alone c=busybox:9
kubectl set image cronjob/often c=busybox:9
kubectl set env deployment/web A=1 B=2
kubectl set env deployment/web --list
kubectl set env deployment/web A- C=3
kubectl set env deployment/web --from=configmap/settings --prefix=S_
kubectl set env deployment/web --from=configmap/absent
kubectl set env deployment/web --list --resolve
kubectl set env statefulset/db -c db X=y -o jsonpath='{.spec.template.spec.containers[0].env}'
kubectl set env pod/alone A=1
kubectl set resources deployment/web --limits=cpu=200m,memory=64Mi --requests=cpu=100m
kubectl set resources deployment/web --limits=cpu=0
kubectl set resources deployment/web -c absent --limits=cpu=1
kubectl set resources deployment/web --limits=cpu=1 --requests=cpu=2
kubectl set resources deployment/web --limits=cpu=many
kubectl get deployment web -o jsonpath='{.spec.template.spec.containers[0].resources}'
kubectl set selector service web 'app=other,tier=x'
kubectl set selector deployment web 'app=other'
kubectl get service web -o jsonpath='{.spec.selector}'
kubectl set serviceaccount deployment web robot
kubectl set serviceaccount deployment web
kubectl create rolebinding subjects --clusterrole=view --user=jane
kubectl set subject rolebinding subjects --user=joe --group=devs --serviceaccount=default:robot
kubectl set subject rolebinding subjects --user=joe
kubectl get rolebinding subjects -o jsonpath='{.subjects}'
kubectl rollout history deployment/web
kubectl rollout history deployment/web --revision=1
kubectl rollout history statefulset/db
kubectl rollout history daemonset/agent
kubectl rollout history configmap/settings
kubectl rollout status deployment/web --timeout=1s
kubectl rollout status deployment/web --watch=false
kubectl rollout status statefulset/db --timeout=1s
kubectl rollout status daemonset/agent --timeout=1s
kubectl rollout pause deployment/web
kubectl rollout pause deployment/web
kubectl rollout restart deployment/web
kubectl rollout resume deployment/web
kubectl rollout resume deployment/web
kubectl rollout restart deployment/web statefulset/db daemonset/agent
kubectl get deployment web -o jsonpath='{.spec.template.metadata.annotations}'
kubectl rollout restart configmap/settings
kubectl rollout restart deployment -l app=web
kubectl rollout undo deployment/web
kubectl rollout undo deployment/web --to-revision=3
kubectl rollout undo statefulset/db
kubectl rollout undo deployment/absent
kubectl rollout pause statefulset/db
kubectl autoscale deployment web --min=2 --max=5 --cpu=80%
kubectl autoscale deployment web --min=2 --max=5
kubectl autoscale deployment recreate --max=5 --name=named --memory=100Mi -o yaml
kubectl autoscale deployment web --min=5 --max=2 --name=wrong
kubectl autoscale deployment web
kubectl autoscale deployment absent --max=2
kubectl autoscale configmap settings --max=2
kubectl get hpa
kubectl describe hpa named
kubectl get all
kubectl delete all --all --wait=false
kubectl delete hpa,pdb,cm,rolebinding --all
kubectl delete pods --all --force

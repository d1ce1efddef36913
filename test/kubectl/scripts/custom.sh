# Definitions and their objects: columns, status, scale, short names, categories, versions.
kubectl create -f custom.yaml
kubectl create -f custom.yaml
kubectl wait --for=condition=Established crd/widgets.kc.example.com crd/planets.kc.example.com --timeout=10s
sleep 3; kubectl get crd widgets.kc.example.com -o yaml
kubectl get crds -o name | grep kc.example
kubectl get crd planets.kc.example.com
kubectl describe crd planets.kc.example.com
kubectl api-resources --api-group=kc.example.com
kubectl api-resources --api-group=kc.example.com -o wide
kubectl api-resources --categories=kc-things
kubectl api-versions | grep kc.example
kubectl get apiservice v1.kc.example.com -o yaml
kubectl get --raw /apis/kc.example.com
kubectl explain widgets.spec
kubectl explain widgets.spec.parts
kubectl explain widgets.spec.color
kubectl explain widgets.spec.tags
kubectl explain widgets.spec.port
kubectl explain widgets.spec.extra
kubectl explain widgets.spec.template
kubectl explain widget --recursive
kubectl explain wd.spec --api-version=kc.example.com/v1beta1
kubectl explain widgets.spec.absent
kubectl explain planets
kubectl explain widgets
kubectl get widgets
kubectl create -f widgets.yaml
kubectl create -f widgets.yaml
kubectl get widgets
kubectl get wd -o wide
kubectl get wdg --show-labels
kubectl get widget first -o yaml
kubectl get widget second -o yaml
kubectl get widgets.kc.example.com first -o name
kubectl get widgets.v1.kc.example.com first -o name
kubectl get widgets.v1beta1.kc.example.com
kubectl get widgets.v1beta1.kc.example.com first -o yaml
kubectl get widgets.v2.kc.example.com
kubectl get kc-things
kubectl get all
kubectl get all,planets -o name
kubectl get planets
kubectl get planet kc-earth -o yaml
kubectl get widgets --field-selector spec.color=red
kubectl get widgets --field-selector spec.color!=red
kubectl get widgets --field-selector spec.size=3
kubectl get widgets --field-selector metadata.name=first
kubectl get widgets --sort-by=.spec.size
kubectl get widgets -o custom-columns=N:.metadata.name,P:.spec.port,X:.spec.parts[*].name
kubectl describe widget first
kubectl describe planet kc-earth
kubectl patch widget first --subresource=status --type=merge -p '{"status":{"ready":true,"size":2,"selector":"app=w","since":"2026-01-01T00:00:00Z","conditions":[{"type":"Ready","status":"True","reason":"Done"}]}}'
kubectl patch widget second --subresource=status --type=merge -p '{"status":{"ready":"yes"}}'
kubectl patch widget first --type=merge -p '{"status":{"ready":false}}'
kubectl get widgets
kubectl get widget first --subresource=status
kubectl get widget first --subresource=scale
kubectl get widget first --subresource=scale -o yaml
kubectl get planet kc-earth --subresource=scale
kubectl wait --for=condition=Ready widget/first --timeout=2s
kubectl wait --for=condition=Ready widget/second --timeout=1s
kubectl wait --for=jsonpath='{.status.ready}'=true widget/first --timeout=2s
kubectl scale widget first --replicas=5
kubectl scale widget first --replicas=50
kubectl scale planet kc-earth --replicas=5
kubectl autoscale widget first --max=3
kubectl get widget first -o jsonpath='{.spec.size} {.metadata.generation}'
kubectl create -f widget-wrong.yaml
kubectl apply -f widget-wrong.yaml
kubectl apply --server-side -f widget-wrong.yaml
kubectl create -f widget-wrong.yaml --validate=false
kubectl apply -f widgets.yaml
kubectl apply -f widgets.yaml
sed s/0.5/0.75/ widgets.yaml | kubectl diff -f -
sed s/0.5/0.75/ widgets.yaml | kubectl apply -f -
kubectl apply --server-side -f widgets.yaml
kubectl apply --server-side -f widgets.yaml --force-conflicts
kubectl get widget first -o yaml --show-managed-fields
echo '{"apiVersion":"kc.example.com/v1","kind":"Widget","metadata":{"name":"x"},"spec":{"color":"red","unknown":1}}' | kubectl create -f -
echo '{"apiVersion":"kc.example.com/v1","kind":"Widget","metadata":{"name":"x"},"spec":{"color":"red","unknown":1}}' | kubectl create --validate=warn -f -
echo '{"apiVersion":"kc.example.com/v1","kind":"Widget","metadata":{"name":"y"},"spec":{"color":"red","unknown":1}}' | kubectl create --validate=ignore -f -
echo '{"apiVersion":"kc.example.com/v1","kind":"Widget","metadata":{"name":"z","labelz":{}},"spec":{"color":"red"}}' | kubectl create -f -
echo '{"apiVersion":"kc.example.com/v1","kind":"Widget","metadata":{"name":"z"}}' | kubectl create -f -
echo '{"apiVersion":"kc.example.com/v1","kind":"Widget","metadata":{"name":"Z_"},"spec":{"color":"red"}}' | kubectl create -f -
echo '{"apiVersion":"kc.example.com/v2","kind":"Widget","metadata":{"name":"z"}}' | kubectl create -f -
echo '{"apiVersion":"kc.example.com/v1beta1","kind":"Widget","metadata":{"name":"old"},"spec":{"color":"pink","more":true}}' | kubectl create -f -
kubectl get widget old -o yaml
kubectl patch widget old --type=merge -p '{"metadata":{"labels":{"a":"b"}}}'
kubectl patch widget old --type=merge -p '{"spec":{"size":2}}'
kubectl patch widget second -p '{"spec":{"size":2}}'
kubectl patch widget second --type=merge -p '{"spec":{"color":null}}'
kubectl patch widget second --type=merge -p '{"spec":{"size":2.5}}'
kubectl patch widget second --type=json -p '[{"op":"add","path":"/spec/tags","value":["z"]}]' -o jsonpath='{.spec}'
KUBE_EDITOR='sed -i s/blue/green/' kubectl edit widget second
KUBE_EDITOR='sed -i s/green/violet/' kubectl edit widget second 2>&1 | sed 's/kubectl-edit-[0-9]*/EDIT/'
KUBE_EDITOR='sed -i s/ready:.true/ready:\ false/' kubectl edit widget first --subresource=status
kubectl label widgets --all each=one
kubectl annotate widget first note=x
(sleep 1; kubectl patch widget second --type=merge -p '{"spec":{"size":7}}') > /dev/null & timeout 3 kubectl get widgets -w --output-watch-events
kubectl replace -f widgets.yaml
kubectl get widget first -o json | sed 's/"size": 3/"size": 4/' | kubectl replace -f -
kubectl expose widget first --port=80
kubectl rollout status widget/first
kubectl auth can-i get widgets
kubectl auth can-i get widgets.kc.example.com --as=jane
kubectl get widgets --as=jane
kubectl apply -f custom.yaml
kubectl patch crd widgets.kc.example.com --type=json -p '[{"op":"replace","path":"/spec/scope","value":"Cluster"}]'
kubectl patch crd widgets.kc.example.com --type=json -p '[{"op":"replace","path":"/spec/versions/1/storage","value":false}]'
kubectl patch crd widgets.kc.example.com --type=json -p '[{"op":"remove","path":"/spec/versions/1"}]'
kubectl patch crd widgets.kc.example.com --type=json -p '[{"op":"add","path":"/spec/versions/1/additionalPrinterColumns","value":[{"name":"Only","type":"string","jsonPath":".spec.color"}]}]'
sleep 2; kubectl get widgets
sed 's/name: widgets.kc/name: wrong.kc/' custom.yaml | kubectl create -f -
sed '0,/spec: { type: object/s//spec: { type: thing/' custom.yaml | kubectl apply -f -
sed 's/storage: true/storage: false/' custom.yaml | kubectl apply -f -
kubectl delete widget first second
kubectl delete widgets --all
kubectl delete widget first
kubectl create -f widgets.yaml
kubectl delete crd widgets.kc.example.com planets.kc.example.com
sleep 2; kubectl get widgets
kubectl get planets
kubectl create -f widgets.yaml
kubectl api-resources --api-group=kc.example.com

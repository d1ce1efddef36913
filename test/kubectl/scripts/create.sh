# Every generator of `kubectl create`, `run` and `expose`: client-side, as a dry run and for real.
kubectl create namespace kc-made --dry-run=client -o yaml
kubectl create namespace kc-made --dry-run=server -o yaml
kubectl create namespace Kc_Made
kubectl create namespace
kubectl create configmap literal --from-literal=a=b --from-literal=c=d=e --dry-run=server -o yaml
kubectl create configmap file --from-file=settings.yaml
kubectl create configmap key --from-file=renamed=settings.yaml -o name
kubectl create configmap folder --from-file=. --dry-run=client -o jsonpath='{.metadata.name}'
printf 'A=1\nB=two words\n' > values.env && kubectl create configmap env --from-env-file=values.env -o yaml
kubectl create configmap hashed --from-literal=a=b --append-hash
kubectl create configmap hashed --from-literal=a=b --append-hash
kubectl create configmap empty
kubectl create configmap bad --from-literal=a
kubectl create configmap bad --from-literal='a b=c'
kubectl create configmap bad --from-literal=a=1 --from-literal=a=2
kubectl create configmap bad --from-file=missing.txt
kubectl create configmap Bad --from-literal=a=b
kubectl create configmap bad/name --from-literal=a=b
kubectl create configmap managed --from-literal=a=b --field-manager=me -o yaml --show-managed-fields
kubectl create configmap annotated --from-literal=a=b --save-config -o yaml
kubectl create configmap there -n absent --from-literal=a=b
kubectl create secret generic hidden --from-literal=password=x -o yaml
kubectl create secret generic typed --type=example.com/kind --from-literal=a=b
kubectl create secret generic wrong --type=kubernetes.io/basic-auth --from-literal=a=b
kubectl create secret generic wrong --type=kubernetes.io/tls --from-literal=a=b
kubectl create secret docker-registry pull --docker-server=r.example.com --docker-username=u --docker-password=p --docker-email=u@example.com
kubectl get secret pull -o yaml
kubectl create secret docker-registry incomplete --docker-username=u
openssl req -x509 -newkey rsa:2048 -nodes -days 9 -subj /CN=x -keyout key.pem -out cert.pem 2> /dev/null; kubectl create secret tls cert --cert=cert.pem --key=key.pem
kubectl create secret tls cert --cert=missing.pem --key=key.pem
kubectl create secret nothing
kubectl get secrets
kubectl create serviceaccount robot -o yaml
kubectl create serviceaccount robot
kubectl create role reader --verb=get,list,watch --resource=pods,deployments.apps,pods/log -o yaml
kubectl create role named --verb=get --resource=configmaps --resource-name=a --resource-name=b -o yaml
kubectl create role wrong --verb=fly --resource=pods --dry-run=server
kubectl create role wrong --resource=pods
kubectl create role wrong --verb=get --resource=nothings
kubectl create clusterrole kc-maker --verb=create --resource=pods,nodes -o yaml
kubectl create clusterrole kc-paths --verb=get --non-resource-url=/metrics
kubectl create clusterrole kc-sum --aggregation-rule=sum=true -o yaml
kubectl create clusterrole kc-wrong --verb=get --non-resource-url=metrics
kubectl create rolebinding readers --role=reader --user=jane --group=devs --serviceaccount=default:robot -o yaml
kubectl create rolebinding makers --clusterrole=kc-maker --user=jane
kubectl create rolebinding wrong --role=reader --serviceaccount=robot
kubectl create rolebinding wrong --user=jane
kubectl create rolebinding dangling --role=absent --user=jane
kubectl create clusterrolebinding kc-makers --clusterrole=kc-maker --group=devs -o yaml
kubectl create clusterrolebinding kc-wrong --role=reader --group=devs
kubectl get role,rolebinding
kubectl get clusterrole kc-maker kc-paths kc-sum
kubectl create deployment web --image=nginx:1.25 --replicas=2 --port=80 -o yaml
kubectl create deployment two --image=nginx --image=busybox -o jsonpath='{.spec.template.spec.containers[*].name}'
kubectl create deployment ran --image=busybox -- sleep 10
kubectl create deployment web --image=nginx
kubectl create deployment none
kubectl create deployment Wrong --image=nginx
kubectl create deployment dry --image=nginx --dry-run=client -o yaml
kubectl create deployment dry --image=nginx --dry-run=server -o yaml
kubectl create deployment dry --image=nginx --dry-run=wrong
kubectl create job once --image=busybox -o yaml -- date -u
kubectl create cronjob often --image=busybox --schedule='*/5 * * * *' --restart=Never -o yaml -- date
kubectl create cronjob wrong --image=busybox --schedule='every day'
kubectl create cronjob wrong --image=busybox --schedule='* * * * *' --restart=Always
kubectl create job manual --from=cronjob/often -o yaml
kubectl create job manual --from=cronjob/absent
kubectl create job both --image=x --from=cronjob/often
kubectl create ingress front --class=kc --rule='a.example.com/x*=web:80,tls=cert' --rule='b.example.com/=web:http' --annotation=a=b --default-backend=web:80 -o yaml
kubectl create ingress wrong --rule='a.example.com'
kubectl create ingress wrong --rule='a_b.example.com/=web:80'
kubectl create pdb calm --selector=app=web --min-available=50% -o yaml
kubectl create pdb calmer --selector=app=db --max-unavailable=1
kubectl create pdb wrong --selector=app=db --min-available=1 --max-unavailable=1
kubectl create pdb wrong --min-available=1
kubectl create pdb wrong --selector=app=db --min-available=-1
kubectl create quota small --hard=pods=3,requests.cpu=2,count/jobs.batch=4 --scopes=NotTerminating -o yaml
kubectl create quota small --hard=pods=3,requests.cpu=2 --scopes=NotTerminating -o yaml
kubectl create quota wrong --hard=pods=many
kubectl create quota wrong --hard=-1
kubectl create quota wrong --hard=pods=3 --scopes=Wrong
kubectl create priorityclass kc-high --value=1000 --description=high --preemption-policy=Never -o yaml
kubectl create priorityclass kc-higher --value=2000000000
kubectl create priorityclass system-high --value=1
kubectl create service clusterip plain --tcp=80:8080 --tcp=443 -o yaml
kubectl create service clusterip headless --clusterip=None
kubectl create service clusterip outside --tcp=80 --clusterip=192.0.2.1
kubectl create service clusterip wrong --tcp=0
kubectl create service clusterip wrong --tcp=99999
kubectl create service nodeport node --tcp=80:8080 --node-port=30222
kubectl create service nodeport taken --tcp=80 --node-port=30222
kubectl create service nodeport low --tcp=80 --node-port=80
kubectl create service loadbalancer balanced --tcp=80:8080
kubectl create service externalname out --external-name=example.com -o yaml
kubectl create service externalname wrong --external-name=Ex_ample
kubectl create service clusterip plain --tcp=80
kubectl get services
kubectl create token robot --duration=10m
kubectl create token robot --audience=vault -o jsonpath='{.status.token}' | cut -d. -f2 | base64 -d 2> /dev/null | grep -o '"aud":\[[^]]*\]'
kubectl create token robot --duration=1s
kubectl create token absent
kubectl create token robot --bound-object-kind=Secret --bound-object-name=hidden
kubectl create token robot --bound-object-kind=Secret --bound-object-name=absent
kubectl create token robot --bound-object-kind=Deployment --bound-object-name=web
kubectl run one --image=busybox --labels=a=b,c=d --env=X=1 --port=80 --restart=Never -o yaml -- sleep 5
kubectl run one --image=busybox
kubectl run dry --image=busybox --dry-run=client -o yaml
kubectl run dry --image=busybox --dry-run=server -o jsonpath='{.spec.containers[0]}'
kubectl run over --image=busybox --overrides='{"spec":{"hostname":"other"}}' --dry-run=server -o jsonpath='{.spec.hostname}'
kubectl run exposed --image=nginx --port=80 --expose
kubectl run wrong --image='bad image'
kubectl run Wrong --image=busybox
kubectl run wrong --image=
kubectl expose deployment web --port=80 --target-port=8080 --type=NodePort --name=by-hand -o yaml
kubectl expose deployment web
kubectl expose deployment two
kubectl expose pod one --port=5 --name=pod-one --selector=x=y --protocol=UDP -o jsonpath='{.spec.selector}'
kubectl expose service plain --name=again --port=81
kubectl expose deployment absent --port=80
kubectl expose configmap literal --port=80
kubectl create -f settings.yaml
kubectl create -f settings.yaml
kubectl create -f settings.yaml -f pod.yaml
cat settings.yaml | sed s/settings/piped/ | kubectl create -f -
kubectl create -f https://127.0.0.1:1/x.yaml
kubectl create -f missing.yaml
kubectl create
kubectl create --raw "/api/v1/namespaces/$(kubectl config view --minify -o jsonpath='{..namespace}')/configmaps" -f settings.yaml
kubectl create -f settings.yaml --edit=false --validate=false --dry-run=server
kubectl create nothing
kubectl get all,cm,sa,ingress,pdb,quota
kubectl delete clusterrole,clusterrolebinding,priorityclass kc-maker kc-paths kc-sum kc-makers kc-high --ignore-not-found
kubectl delete all,cm,secret,role,rolebinding,ingress,pdb,quota --all --wait=false
kubectl delete pods --all --force

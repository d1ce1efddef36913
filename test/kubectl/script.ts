/**
 * What a person types at a cluster without controllers: commands for kubectl, run in order on the
 * embedded server and on a real one by scripts/kubectl-real.ts. Texts and exit codes must be equal.
 */

/** Manifests the commands use, by file name. */
export const manifests: Readonly<Record<string, string>> = {
  'web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "nginx:1.25", ports: [{containerPort: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, labels: {app: web}}
spec: {selector: {app: web}, ports: [{port: 80}], clusterIP: 10.96.1.1}
`,
  'web-changed.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, tier: front}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "nginx:1.26", ports: [{containerPort: 80}]}
`,
  'settings.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {app: web}}
data: {a: "1", b: "2"}
`,
  'settings-changed.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {app: web}}
data: {a: "1", b: "3", c: "4"}
`,
  'unknown-field.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: wrong}
dat: {a: "1"}
`,
  'invalid.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: wrong}
spec: {replicas: -1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: c}}, spec: {containers: []}}}
`,
  'crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.kubectl.example.com}
spec:
  group: kubectl.example.com
  scope: Namespaced
  names: {plural: crontabs, singular: crontab, kind: CronTab, shortNames: [ct]}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        description: A schedule.
        properties:
          spec:
            type: object
            description: What is wanted.
            properties:
              cronSpec: {type: string, description: When it runs.}
              replicas: {type: integer, minimum: 1, default: 1}
              image: {type: string}
          status: {type: object, properties: {replicas: {type: integer}, phase: {type: string}}}
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
    additionalPrinterColumns:
    - {name: Spec, type: string, jsonPath: .spec.cronSpec}
    - {name: Replicas, type: integer, jsonPath: .spec.replicas}
    - {name: Image, type: string, jsonPath: .spec.image, priority: 1}
`,
  'crontab.yaml': `apiVersion: kubectl.example.com/v1
kind: CronTab
metadata: {name: nightly}
spec: {cronSpec: "0 3 * * *", image: busybox}
`,
  'crontab-invalid.yaml': `apiVersion: kubectl.example.com/v1
kind: CronTab
metadata: {name: never}
spec: {cronSpec: 5, replicas: 0}
`,
  'crontab-unknown.yaml': `apiVersion: kubectl.example.com/v1
kind: CronTab
metadata: {name: never}
spec: {cronSpecs: "x"}
`,
  'pod.yaml': `apiVersion: v1
kind: Pod
metadata: {name: alone, labels: {app: alone}}
spec: {containers: [{name: c, image: busybox}]}
`,
}

/** The commands; one that begins with `!` is for people who look, not compared. */
export const commands: readonly string[] = [
  'version',
  'api-versions',
  'api-resources --api-group=apps',
  'api-resources --namespaced=false --verbs=list,get',
  'api-resources -o wide --api-group=batch',
  'get namespaces',
  'get ns default -o name',
  'get all',
  'get pods',
  'get nothing',
  'get deployments.v9.apps',
  'create configmap made --from-literal=a=b --from-literal=c=d',
  'create configmap made --from-literal=a=b',
  'create secret generic hidden --from-literal=password=x',
  'create secret tls broken --cert=web.yaml --key=web.yaml',
  'create serviceaccount robot',
  'create role reader --verb=get,list --resource=pods',
  'create rolebinding reader --role=reader --serviceaccount=default:robot',
  'create clusterrole kubectl-reader --verb=get --resource=nodes --dry-run=server -o yaml',
  'create deployment made --image=nginx --replicas=2',
  'create job once --image=busybox -- date',
  'create cronjob often --image=busybox --schedule=*/5 * * * * -- date',
  'create service clusterip plain --tcp=80:8080 --clusterip=10.96.1.1',
  'create service externalname out --external-name=example.com',
  'create ingress front --rule=example.com/*=web:80',
  'create quota small --hard=pods=3,cpu=2',
  'create pdb calm --selector=app=web --min-available=1',
  'create priorityclass kubectl-high --value=100 --dry-run=server -o name',
  'create namespace kubectl-made --dry-run=server',
  'create token robot --duration=1m',
  'get configmap made -o yaml',
  'get configmap made -o json',
  'get configmap made -o jsonpath={.data.a}',
  'get configmaps',
  'get secrets',
  'get serviceaccounts',
  'get roles,rolebindings',
  'get deployments,jobs,cronjobs',
  'get deployments -o wide',
  'get jobs -o wide',
  'get cronjobs -o wide',
  'get services -o wide',
  'get ingresses',
  'get resourcequotas',
  'get poddisruptionbudgets',
  'get configmap absent',
  'get configmap made absent',
  'delete service plain',
  'delete deployment made',
  'delete job once --cascade=orphan',
  'delete cronjob often',
  'apply -f settings.yaml',
  'apply -f settings.yaml',
  'diff -f settings-changed.yaml',
  'apply -f settings-changed.yaml',
  'get configmap settings -o yaml',
  'apply -f settings.yaml --dry-run=server',
  'apply view-last-applied configmap settings',
  'apply --server-side -f settings.yaml',
  'apply --server-side --force-conflicts -f settings.yaml',
  'get configmap settings -o yaml --show-managed-fields',
  'apply -f web.yaml',
  'apply -f web-changed.yaml',
  'get deployment web -o yaml',
  'get deployment web -o jsonpath={.metadata.generation}',
  'rollout history deployment/web',
  'rollout pause deployment/web',
  'rollout resume deployment/web',
  'rollout status deployment/web --timeout=1s',
  'set image deployment/web web=nginx:1.27',
  'set env deployment/web A=1 B=2',
  'set resources deployment/web --limits=cpu=200m,memory=64Mi',
  'get deployment web -o jsonpath={.spec.template.spec.containers[0]}',
  'scale deployment/web --replicas=5',
  'scale deployment/web --current-replicas=9 --replicas=1',
  'autoscale deployment/web --min=1 --max=3 --cpu=50%',
  'get hpa',
  'label deployment web tier=back',
  'label deployment web tier=back --overwrite',
  'label deployment web tier-',
  'label deployment web bad/key/here=1',
  'annotate deployment web note=hello',
  'get deployments --show-labels -l app=web',
  'get deployments -L app',
  'get deployments -l app!=web',
  'get deployments --field-selector metadata.name=web',
  'get deployments --field-selector spec.replicas=5',
  'get deployments --sort-by=.metadata.name',
  'get deployments -o custom-columns=NAME:.metadata.name,N:.spec.replicas',
  'get deployments -A -l app=web',
  'patch deployment web -p {"spec":{"minReadySeconds":5}}',
  'patch deployment web --type=json -p [{"op":"replace","path":"/spec/replicas","value":1}]',
  'patch deployment web --type=json -p [{"op":"test","path":"/spec/replicas","value":7}]',
  'patch deployment web --type=merge -p {"metadata":{"labels":{"x":"y"}}}',
  'patch deployment web -p {"spec":{"replicas":-1}}',
  'patch deployment web --subresource=status --type=merge -p {"status":{"replicas":2}}',
  'get deployment web --subresource=status',
  'expose deployment web --port=8080 --name=web2 --cluster-ip=None',
  'replace -f settings.yaml',
  'replace -f web-changed.yaml --dry-run=server -o name',
  'describe configmap settings',
  'describe secret hidden',
  'describe role reader',
  'describe service web',
  'describe pdb calm',
  'describe resourcequota small',
  'create -f unknown-field.yaml',
  'create -f unknown-field.yaml --validate=warn',
  'create -f unknown-field.yaml --validate=ignore --dry-run=server',
  'create -f invalid.yaml',
  'apply -f invalid.yaml',
  'apply -f crd.yaml',
  'wait --for=condition=Established crd/crontabs.kubectl.example.com --timeout=20s',
  'get crd crontabs.kubectl.example.com',
  'api-resources --api-group=kubectl.example.com',
  'explain crontabs',
  'explain crontabs.spec',
  'explain crontabs --recursive',
  'explain crontabs.nothing',
  'apply -f crontab.yaml',
  'create -f crontab-invalid.yaml',
  'create -f crontab-unknown.yaml',
  'get crontabs',
  'get ct -o wide',
  'get ct nightly -o yaml',
  'scale crontab nightly --replicas=3',
  'scale crontab nightly --replicas=0',
  'patch ct nightly --type=merge -p {"spec":{"image":"alpine"}}',
  'patch ct nightly --type=strategic -p {"spec":{"image":"x"}}',
  'patch ct nightly --subresource=status --type=merge -p {"status":{"phase":"Ready"}}',
  'wait --for=jsonpath={.status.phase}=Ready ct/nightly --timeout=5s',
  'get ct nightly -o jsonpath={.metadata.generation}',
  'describe ct nightly',
  'label ct nightly a=b',
  'edit ct nightly',
  'delete ct nightly',
  'delete ct nightly',
  'delete ct nightly --ignore-not-found',
  'apply -f pod.yaml',
  'get pods',
  'get pods -o wide',
  'get pod alone -o yaml',
  'describe pod alone',
  'logs alone',
  'exec alone -- ls',
  'wait --for=condition=Ready pod/alone --timeout=1s',
  'delete pod alone --grace-period=0 --force',
  'delete pods --all',
  'get events',
  'auth can-i create pods',
  'auth can-i get pods --as=jane',
  'auth can-i --list --as=system:serviceaccount:default:robot',
  'auth whoami',
  'auth reconcile -f settings.yaml',
  'get pods --as=jane',
  'get --raw /healthz',
  'get --raw /readyz',
  'get --raw /version',
  'get --raw /nothing',
  'get --raw /apis/apps',
  'apply --prune -l app=web -f settings.yaml --prune-allowlist=core/v1/ConfigMap',
  'delete -f web.yaml',
  'delete configmap,secret,role,rolebinding,serviceaccount,hpa,pdb,quota,ingress,service --all',
  'get configmaps',
  'delete crd crontabs.kubectl.example.com',
  'get crontabs',
  'cluster-info',
  'get componentstatuses etcd-0',
  'get storageclasses',
  'get clusterroles -o name',
  'get clusterrolebindings -o name',
  'get priorityclasses',
  'get flowschemas -o name',
  'get nodes',
  'delete namespace default',
]

# Manifests that a server refuses, and how kubectl prints the error.
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n\tname: a\n' | kubectl create -f -
printf '{"apiVersion":"v1","kind":"ConfigMap"' | kubectl create -f -
printf 'just text' | kubectl create -f -
printf '[]' | kubectl create -f -
printf 'kind: ConfigMap\nmetadata: {name: a}\n' | kubectl create -f -
printf 'apiVersion: v1\nmetadata: {name: a}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: configmap\nmetadata: {name: a}\n' | kubectl create -f -
printf 'apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: a}\n' | kubectl create -f -
printf 'apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: a}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: UPPER}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: absent}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {a: 1}}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {a: 1}}\n' | kubectl create --validate=false -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: true}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: true}\n' | kubectl create --validate=false -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: x, a: y}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, unknown: 1}\nunknown: 2\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, unknown: 1}\nunknown: 2\n' | kubectl create --validate=warn -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, unknown: 1}\nunknown: 2\n' | kubectl create --validate=ignore -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: made-}\n' | kubectl create -f - | sed 's/made-...../made-XXXXX/'
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: d, uid: x, resourceVersion: "5"}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: e, ownerReferences: [{apiVersion: v1, kind: Pod, name: x, uid: ""}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: e, finalizers: [nope]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: e, annotations: {"a/b/c": x}}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: "not base64"}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ntype: kubernetes.io/tls\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: []}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: C_, image: x}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: x},{name: c, image: y}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {restartPolicy: Sometimes, containers: [{name: c, image: x}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {serviceAccountName: absent, containers: [{name: c, image: x}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {priorityClassName: absent, containers: [{name: c, image: x}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {runtimeClassName: absent, containers: [{name: c, image: x}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: x, ports: [{containerPort: 99999}]}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: x, ports: [{containerPort: http}]}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: x, resources: {limits: {cpu: lots}}}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: x, resources: {limits: {cpu: 1}, requests: {cpu: 2}}}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: x, volumeMounts: [{name: v, mountPath: /v}]}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {volumes: [{name: v}, {name: v, emptyDir: {}, hostPath: {path: /}}], containers: [{name: c, image: x}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: x, env: [{name: "1=2", value: x}]}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: x, env: [{name: A, value: 1}]}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: x, livenessProbe: {}}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: x, imagePullPolicy: Maybe}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {container: [{name: c, image: x}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {hostNetwork: true, containers: [{name: c, image: x, ports: [{containerPort: 1, hostPort: 2}]}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 80},{port: 81}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {type: Wrong, ports: [{port: 80}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Service\nmetadata: {name: 1s}\nspec: {ports: [{port: 80, targetPort: "80"}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {clusterIP: 10.96.0.1, ports: [{port: 80}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {type: ExternalName}\n' | kubectl create -f -
printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n' | kubectl create -f -
printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: c}}, spec: {containers: [{name: c, image: x}]}}}\n' | kubectl create -f -
printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {replicas: "2", selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: x}]}}}\n' | kubectl create -f -
printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {strategy: {type: Recreate, rollingUpdate: {maxSurge: 1}}, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: x}]}}}\n' | kubectl create -f -
printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {selector: {matchExpressions: [{key: a, operator: Near}]}, template: {metadata: {labels: {a: b}}, spec: {restartPolicy: Never, containers: [{name: c, image: x}]}}}\n' | kubectl create -f -
printf 'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: d}\nspec: {selector: {matchLabels: {a: b}}, podManagementPolicy: X, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: x}]}}}\n' | kubectl create -f -
printf 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {template: {spec: {containers: [{name: c, image: x}]}}}\n' | kubectl create -f -
printf 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {completions: -1, template: {spec: {restartPolicy: Never, containers: [{name: c, image: x}]}}}\n' | kubectl create -f -
printf 'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: j}\nspec: {schedule: "x", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: x}]}}}}}\n' | kubectl create -f -
printf 'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i}\nspec: {rules: [{http: {paths: [{path: x, backend: {service: {name: a}}}]}}]}\n' | kubectl create -f -
printf 'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: n}\nspec: {podSelector: {}, ingress: [{from: [{}]}]}\n' | kubectl create -f -
printf 'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\nrules: [{resources: [pods]}]\n' | kubectl create -f -
printf 'apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: r}\nsubjects: [{kind: User, name: x}]\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c}\nspec: {accessModes: [Wrong]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: kc-wrong}\nspec: {}\n' | kubectl create -f -
printf 'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: kc-wrong}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {limits: [{type: Container, max: {cpu: 1}, min: {cpu: 2}}]}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Namespace\nmetadata: {name: "kc bad"}\n' | kubectl create -f -
printf 'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}\nspec: {maxReplicas: 0}\n' | kubectl create -f -
printf 'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: p}\nspec: {minAvailable: 1, maxUnavailable: 1}\n' | kubectl create -f -
printf 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: kc-wrong}\n' | kubectl create -f -
printf 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: wrong}\nspec: {group: x, names: {plural: a, kind: b}, scope: Near, versions: []}\n' | kubectl create -f -
printf 'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: kc-wrong}\nwebhooks: [{name: x}]\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Event\nmetadata: {name: e}\n' | kubectl create -f -
printf 'apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: l}\nspec: {leaseDurationSeconds: 0}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ok}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: BAD}\n---\napiVersion: v1\nkind: Nothing\nmetadata: {name: x}\n' | kubectl apply -f -
printf -- '---\n---\n# nothing\n' | kubectl apply -f -
printf 'apiVersion: v1\nkind: Binding\nmetadata: {name: x}\ntarget: {kind: Node, name: n}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: ComponentStatus\nmetadata: {name: x}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: Status\nmetadata: {}\n' | kubectl create -f -
printf 'apiVersion: v1\nkind: PodList\nitems: []\n' | kubectl create -f -
head -c 1100000 /dev/zero | tr '\0' a > big.txt && kubectl create configmap big --from-file=big.txt
kubectl create configmap fine --from-literal=a=b && kubectl patch configmap fine --type=merge -p '{"immutable":true}' && kubectl patch configmap fine --type=merge -p '{"data":{"a":"c"}}'
kubectl patch configmap fine --type=merge -p '{"immutable":false}'
printf 'apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {limits: [{type: Container, max: {cpu: 1}, default: {cpu: 500m}, defaultRequest: {cpu: 100m}}]}\n' | kubectl create -f -
kubectl run limited --image=x -o jsonpath='{.spec.containers[0].resources}'
printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: over}\nspec: {containers: [{name: c, image: x, resources: {limits: {cpu: 2}}}]}\n' | kubectl create -f -
kubectl describe limitrange l
kubectl create quota few --hard=configmaps=3,pods=1,services=0
kubectl create service clusterip none --tcp=80
kubectl label namespace "$(kubectl config view --minify -o jsonpath='{..namespace}')" pod-security.kubernetes.io/enforce=restricted
kubectl run insecure --image=x
kubectl label namespace "$(kubectl config view --minify -o jsonpath='{..namespace}')" pod-security.kubernetes.io/enforce- pod-security.kubernetes.io/warn=baseline
kubectl run privileged --image=x --privileged
kubectl delete priorityclass kc-wrong
kubectl delete service none
kubectl delete quota,limitrange,cm --all | sed 's/made-...../made-XXXXX/'
kubectl delete pods --all --force

/**
 * The review of an update, as an API server sends it: both objects have managed fields and an
 * annotation of kubectl.
 */
export function sampleReview(): string {
  const kind = { group: 'bench.example.com', version: 'v1', kind: 'Application' }
  const resource = { group: 'bench.example.com', version: 'v1', resource: 'applications' }
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: 'b4f0d9a1-8f0e-4a53-9a3d-0b8f4ef7ac61',
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: 'web',
      namespace: 'shop',
      operation: 'UPDATE',
      userInfo: {
        username: 'kubernetes-admin',
        groups: ['kubeadm:cluster-admins', 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=3a9d2c'] },
      },
      object: application({ replicas: 6, generation: 5, resourceVersion: '81227' }),
      oldObject: application({ replicas: 4, generation: 4, resourceVersion: '80113' }),
      dryRun: false,
      options: { kind: 'UpdateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'kubectl' },
    },
  })
}

interface Revision {
  readonly replicas: number
  readonly generation: number
  readonly resourceVersion: string
}

function application({ replicas, ...revision }: Revision): object {
  const names = Array.from({ length: 12 }, (_, index) => `SETTING_${index}`)
  const spec = {
    image: 'registry.example.com/shop/web:1.42.0',
    replicas,
    port: 8080,
    env: Object.fromEntries(names.map((name) => [name, `the value of ${name}`])),
  }
  const fields = {
    'f:metadata': {
      'f:annotations': { '.': {}, 'f:kubectl.kubernetes.io/last-applied-configuration': {} },
      'f:labels': { '.': {}, 'f:app.kubernetes.io/name': {}, 'f:team': {} },
    },
    'f:spec': {
      '.': {},
      'f:env': { '.': {}, ...Object.fromEntries(names.map((name) => [`f:${name}`, {}])) },
      'f:image': {},
      'f:port': {},
      'f:replicas': {},
    },
  }
  return {
    apiVersion: 'bench.example.com/v1',
    kind: 'Application',
    metadata: {
      name: 'web',
      namespace: 'shop',
      uid: '6f4c2bb0-5d2f-44c8-9a2e-2f3a1a1f6d55',
      ...revision,
      creationTimestamp: '2026-05-04T08:15:30Z',
      labels: { 'app.kubernetes.io/name': 'web', team: 'shop' },
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ spec }),
      },
      managedFields: [
        {
          manager: 'kubectl-client-side-apply',
          operation: 'Update',
          apiVersion: 'bench.example.com/v1',
          time: '2026-05-04T08:15:30Z',
          fieldsType: 'FieldsV1',
          fieldsV1: fields,
        },
      ],
    },
    spec,
  }
}

const template = {
  metadata: { labels: { app: 'hello' } },
  spec: { containers: [{ name: 'hello', image: 'nginx:1.29' }] },
}

const selector = { matchLabels: { app: 'hello' } }

/** The fields of valid objects of built-in kinds, besides their metadata. */
export const builtinSamples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ConfigMap: { data: { greeting: 'hello' } },
  DaemonSet: { spec: { selector, template } },
  Deployment: { spec: { selector, template } },
  Job: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
  Namespace: {},
  Pod: { spec: template.spec },
  Secret: { stringData: { password: 'secret' } },
  Service: { spec: { selector: { app: 'hello' }, ports: [{ port: 80 }] } },
  ServiceAccount: {},
  StatefulSet: { spec: { selector, serviceName: 'hello', template } },
}

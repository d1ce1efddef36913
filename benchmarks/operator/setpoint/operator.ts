/** The benchmark's operator with Setpoint: 16 objects in parallel. Bundled before it runs. */
import { operator, run } from 'setpoint'
import { Deployment, Service } from 'setpoint/kinds'
import { Application } from './application.ts'

const application = operator(Application, { concurrency: 16 })
  .child('deployment', Deployment, ({ metadata: { name: app }, spec }) => ({
    metadata: { labels: { app } },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: {
          containers: [{ name: 'app', image: spec.image, ports: [{ containerPort: spec.port }] }],
        },
      },
    },
  }))
  .child('service', Service, ({ metadata: { name: app }, spec }) => ({
    metadata: { labels: { app } },
    spec: { selector: { app }, ports: [{ port: spec.port, targetPort: spec.port }] },
  }))
  .status(({ metadata: { name, namespace, generation } }) => ({
    url: `http://${name}.${namespace}.svc`,
    observedGeneration: generation,
  }))

await run([application], { probes: false })

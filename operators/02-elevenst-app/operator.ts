import { operator } from 'setpoint'
import { Deployment, Service } from 'setpoint/kinds'
import { ElevenStApp } from './elevenst-app.ts'

/** Runs the image of every ElevenStApp as a Deployment, behind a Service on port 80. */
export default operator(ElevenStApp)
  .child('deployment', Deployment, ({ metadata: { name: app }, spec }) => ({
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: {
          containers: [
            {
              name: 'app',
              image: spec.image,
              ports: [{ name: 'http', containerPort: spec.port }],
              readinessProbe: { tcpSocket: { port: 'http' } },
            },
          ],
        },
      },
    },
  }))
  .child('service', Service, ({ metadata: { name: app } }) => ({
    spec: { selector: { app }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  }))
  .status((_, { deployment }) => ({
    availableReplicas: deployment?.status?.availableReplicas ?? 0,
  }))

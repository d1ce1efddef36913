/** The user that the process runs as: no user of any machine, and the one that the generated Deployment says. */
const userId = 65532

/**
 * The last stage of a Dockerfile: Node, what Node is linked with, and the bundle. No shell, no package manager, no other
 * file, nothing that is written to.
 */
export function imageStage(copyBundle: string): string {
  return `# Nothing but Node, the libraries it is linked with, and the bundle: no shell, no package manager.
FROM scratch
COPY --from=node /lib/ld-musl-*.so.1 /lib/
COPY --from=node /usr/lib/libstdc++.so.6 /usr/lib/libgcc_s.so.1 /usr/lib/
COPY --from=node /usr/local/bin/node /usr/local/bin/node
${copyBundle}
USER ${userId}:${userId}
ENV NODE_ENV=production
EXPOSE 8081
ENTRYPOINT ["/usr/local/bin/node", "--enable-source-maps", "/app/operator.mjs"]
`
}

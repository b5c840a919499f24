import { Edge } from '../../bench/edges/edge.js';

/**
 * An nginx before these ports of one service, with its defaults but for `more`. It reads the next request of a connection
 * only after the answer to the one before. It counts no failures: a server that broke a connection gets the next request, too.
 */
export function startNginx(ports: readonly number[], more = ''): Promise<Edge> {
  return Edge.start('nginx', 0, {
    listens: ['http'],
    args: (file, folder) => ['-p', folder, '-c', file, '-e', 'stderr'],
    text: ({ ports: { http } }) => `
      daemon off; worker_processes 2; pid nginx.pid; error_log /dev/null;
      events { worker_connections 1024; }
      http {
        access_log off;
        upstream service { ${ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(' ')} }
        server { listen 127.0.0.1:${http}; location / { proxy_pass http://service; ${more} } }
      }`,
  });
}

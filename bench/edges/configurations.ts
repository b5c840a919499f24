import type { Software } from './install.js';

/** What the configuration of an edge is made from. */
export interface Setting {
  /** A folder of its own. */
  readonly folder: string;
  /** Of the service that it stands before. */
  readonly servicePort: number;
  readonly ports: Ports;
  /** Files in PEM: the certificate, its key, and both in one. */
  readonly certificate: { readonly cert: string; readonly key: string; readonly both: string };
}

/** What an edge listens on. */
export interface Ports {
  readonly http: number;
  /** TLS that offers HTTP/1.1 alone. */
  readonly tls: number;
  /** TLS that offers HTTP/2 as well. */
  readonly http2: number;
  /** As `http` and `http2`, but a connection without a request is closed after a second. */
  readonly briefHttp: number;
  readonly briefHttp2: number;
}

export interface Configuration {
  /** What it listens on. */
  readonly listens: readonly (keyof Ports)[];
  readonly text: (setting: Setting) => string;
  /** The arguments of its command. */
  readonly args: (file: string, folder: string) => readonly string[];
}

/** Each edge with its own default limits of connections, and connections to the service that stay open. */
export const CONFIGURATIONS: Readonly<Record<Software, Configuration>> = {
  nginx: {
    listens: ['http', 'tls', 'http2', 'briefHttp', 'briefHttp2'],
    args: (file, folder) => ['-p', folder, '-c', file, '-e', 'stderr'],
    text: ({ servicePort, ports, certificate }) => {
      const proxy = 'location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }';
      const tls = `ssl_certificate ${certificate.cert}; ssl_certificate_key ${certificate.key};`;
      const brief = 'keepalive_timeout 1s;';
      return `
        daemon off; worker_processes 2; pid nginx.pid; error_log stderr error;
        events { worker_connections 1024; }
        http {
          access_log off;
          upstream service { server 127.0.0.1:${servicePort}; keepalive 128; }
          server { listen 127.0.0.1:${ports.http}; ${proxy} }
          server { listen 127.0.0.1:${ports.tls} ssl; ${tls} ${proxy} }
          server { listen 127.0.0.1:${ports.http2} ssl http2; ${tls} ${proxy} }
          server { listen 127.0.0.1:${ports.briefHttp}; ${brief} ${proxy} }
          server { listen 127.0.0.1:${ports.briefHttp2} ssl http2; ${tls} ${brief} ${proxy} }
        }`;
    },
  },
  haproxy: {
    listens: ['http', 'http2'],
    args: (file) => ['-db', '-f', file],
    text: ({ servicePort, ports, certificate }) => `
      global
        nbthread 2
      defaults
        mode http
        timeout connect 5s
        timeout client 50s
        timeout server 50s
        default_backend service
      frontend http
        bind 127.0.0.1:${ports.http}
      frontend http2
        bind 127.0.0.1:${ports.http2} ssl crt ${certificate.both} alpn h2,http/1.1
      backend service
        server service 127.0.0.1:${servicePort}
      `,
  },
  caddy: {
    listens: ['http', 'http2'],
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    text: ({ folder, servicePort, ports, certificate }) => `
      {
        admin off
        auto_https off
        storage file_system ${folder}
        default_sni localhost
        servers {
          protocols h1 h2
        }
      }
      http://:${ports.http} {
        bind 127.0.0.1
        reverse_proxy 127.0.0.1:${servicePort}
      }
      https://:${ports.http2} {
        bind 127.0.0.1
        tls ${certificate.cert} ${certificate.key}
        reverse_proxy 127.0.0.1:${servicePort}
      }
      `,
  },
};

import type { SandboxCredentials } from '../../sandbox/core/keys/api-keys.js';
import type { SandboxFixtures } from '../../sandbox/kinds/seed/fixtures.js';
import { curlCode } from '../views/request/code/curl.js';
import { pythonCode } from '../views/request/code/python.js';
import type { Sendable } from '../views/request/code/sendable.js';
import { quoted } from '../wire/api.js';

/** Facts that a first program needs. */
export interface SetUp {
  /** Address of the API: `http://127.0.0.1:8420`. */
  readonly url: string;
  readonly credentials: SandboxCredentials;
  readonly fixtures: SandboxFixtures;
}

interface Program {
  readonly label: string;
  /** The way to run it, in a few words. */
  readonly use: string;
  readonly text: (setUp: SetUp) => string;
}

const firstCall = ({ fixtures: { userId } }: SetUp): Sendable => ({
  method: 'GET',
  path: `/v1/users/${userId}`,
  hasOtp: false,
  body: undefined,
  contentType: undefined,
  key: undefined,
});

const variablesOf = ({
  url,
  credentials: { apiKey, apiSecret },
  fixtures,
}: SetUp): Readonly<Record<string, string>> => ({
  PARTNER_BASE_URL: url,
  PARTNER_API_KEY: apiKey,
  PARTNER_API_SECRET: apiSecret,
  PARTNER_SANDBOX_URL: url,
  PARTNER_USER_ID: fixtures.userId,
  PARTNER_ACCOUNT_ID: fixtures.accountId,
});

function exportsOf(setUp: SetUp): string {
  return Object.entries(variablesOf(setUp))
    .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
    .join('');
}

const curl = (setUp: SetUp): string => exportsOf(setUp) + curlCode(firstCall(setUp), setUp.url);

const python = (setUp: SetUp): string => `\
import os
${Object.entries(variablesOf(setUp))
  .map(([name, value]) => `os.environ[${JSON.stringify(name)}] = ${JSON.stringify(value)}\n`)
  .join('')}${pythonCode(firstCall(setUp), setUp.url)}`;

const go = ({ url, credentials: { apiKey, apiSecret }, fixtures: { userId } }: SetUp): string => `\
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	baseURL   = ${JSON.stringify(url)}
	apiKey    = ${JSON.stringify(apiKey)}
	apiSecret = ${JSON.stringify(apiSecret)}
)

func uuid() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// call signs and sends exactly the bytes of body.
func call(method, path, body string) (string, error) {
	secret, err := base64.StdEncoding.DecodeString(apiSecret)
	if err != nil {
		return "", err
	}
	nonce := strconv.FormatInt(time.Now().UnixNano(), 10) // rises with every request
	inner := sha256.Sum256([]byte(nonce + body))
	mac := hmac.New(sha512.New, secret)
	mac.Write(append([]byte(path), inner[:]...))
	request, err := http.NewRequest(method, baseURL+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return "", err
	}
	request.Header.Set("API-Key", apiKey)
	request.Header.Set("API-Nonce", nonce)
	request.Header.Set("API-Sign", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", uuid())
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.Status + " " + string(answer), err
}

func main() {
	fmt.Println(call("GET", "/v1/users/${userId}", ""))
}
`;

const typescript = ({ url, credentials, fixtures: { userId } }: SetUp): string => `\
import { PartnerClient } from 'partner-sdk';

const client = new PartnerClient({
  baseUrl: ${JSON.stringify(url)},
  apiKey: ${JSON.stringify(credentials.apiKey)},
  apiSecret: ${JSON.stringify(credentials.apiSecret)},
});
console.log(await client.users.get(${JSON.stringify(userId)}));
await client.close();
`;

/** First programs: each runs as it stands, and makes a signed call. */
export const PROGRAMS: readonly Program[] = [
  { label: 'export', use: 'variables for a shell', text: exportsOf },
  { label: 'curl', use: 'bash first.sh, or paste it; needs curl and openssl', text: curl },
  { label: 'Python', use: 'python3 first.py; its standard library alone', text: python },
  { label: 'Go', use: 'go run first.go; its standard library alone', text: go },
  { label: 'TypeScript', use: 'npm install partner-sdk tsx, npx tsx first.ts', text: typescript },
];

// A request as code, in ten languages.
import { csharpHttpclient } from '@scalar/snippetz/plugins/csharp/httpclient';
import { goNative } from '@scalar/snippetz/plugins/go/native';
import { javaOkhttp } from '@scalar/snippetz/plugins/java/okhttp';
import { jsFetch } from '@scalar/snippetz/plugins/js/fetch';
import { kotlinOkhttp } from '@scalar/snippetz/plugins/kotlin/okhttp';
import { phpCurl } from '@scalar/snippetz/plugins/php/curl';
import { pythonRequests } from '@scalar/snippetz/plugins/python/requests';
import { rubyNative } from '@scalar/snippetz/plugins/ruby/native';
import { rustReqwest } from '@scalar/snippetz/plugins/rust/reqwest';
import { shellCurl } from '@scalar/snippetz/plugins/shell/curl';

/** An HTTP Archive request, as far as the samples are made from it. http://www.softwareishard.com/blog/har-12-spec/#request */
export interface HarRequest {
  method: string;
  url: string;
  headers: Pair[];
  queryString: Pair[];
  cookies: Pair[];
  postData?: { mimeType: string; text?: string; params?: Pair[] };
}
export interface Pair {
  name: string;
  value: string;
}

export interface Sample {
  title: string;
  /** Name of the language for highlighting. */
  language: string;
  code: string;
}

const languages: [title: string, language: string, plugin: { generate(request: HarRequest): string }][] = [
  ['cURL', 'bash', shellCurl],
  ['JavaScript', 'js', jsFetch],
  ['Python', 'python', pythonRequests],
  ['PHP', 'php', phpCurl],
  ['Ruby', 'ruby', rubyNative],
  ['Go', 'go', goNative],
  ['Java', 'java', javaOkhttp],
  ['Kotlin', 'kotlin', kotlinOkhttp],
  ['C#', 'csharp', csharpHttpclient],
  ['Rust', 'rust', rustReqwest],
];

/** The request in each language; without those whose library throws. */
export function samplesOf(request: HarRequest): Sample[] {
  return languages.flatMap(([title, language, plugin]) => {
    try {
      return [{ title, language, code: plugin.generate(request) }];
    } catch {
      return [];
    }
  });
}

// node people-process.ts DATABASE DATA: the routes by which people are invited and sign in, and the sites, without the rest of a server, so that it
// starts in a fraction of the time.
import { createHostedSites } from '../../../server/hosting/hosted-sites.ts';
import { emptyApi } from '../../../server/http/empty-api.ts';
import { addRoutes } from '../../../server/http/route.ts';
import { listen } from '../../../server/http/listen.ts';
import { memberRoutes } from '../../../server/members/member-routes.ts';
import { sessionRoutes } from '../../../server/members/session-routes.ts';
import { addReaderCodeRoutes } from '../../../server/sites/reader-code-routes.ts';
import { openPeopleServices } from './people-services.ts';

const [api, sites] = [await listen(0, '127.0.0.1'), await listen(0, '127.0.0.1')];
const services = await openPeopleServices(process.argv[2]!, process.argv[3]!, [api.address, sites.address]);
const routes = emptyApi(services);
addRoutes(routes, services, { ...memberRoutes, ...sessionRoutes });
addReaderCodeRoutes(routes, services);
api.answer(routes.fetch);
sites.answer(createHostedSites(services));
console.log(`listening on ${api.address} and ${sites.address} (sites)`);
console.log('Ctrl+C stops it.');

// Names of time zones in Windows, which Outlook writes as TZID, and the zones that they stand for: CLDR, windowsZones, territory 001.

/** `Windows name=IANA name`, without the ` Standard Time` that most names end with. */
const ZONES = `
Dateline=Etc/GMT+12|Hawaiian=Pacific/Honolulu|Alaskan=America/Anchorage|Pacific=America/Los_Angeles|US Mountain=America/Phoenix
Mountain=America/Denver|Central America=America/Guatemala|Central=America/Chicago|Central (Mexico)=America/Mexico_City
Canada Central=America/Regina|SA Pacific=America/Bogota|Eastern=America/New_York|US Eastern=America/Indianapolis
Venezuela=America/Caracas|Paraguay=America/Asuncion|Atlantic=America/Halifax|SA Western=America/La_Paz|Pacific SA=America/Santiago
Newfoundland=America/St_Johns|E. South America=America/Sao_Paulo|Argentina=America/Buenos_Aires|SA Eastern=America/Cayenne
Greenland=America/Godthab|Montevideo=America/Montevideo|Azores=Atlantic/Azores|Cape Verde=Atlantic/Cape_Verde|GMT=Europe/London
Greenwich=Atlantic/Reykjavik|Morocco=Africa/Casablanca|W. Europe=Europe/Berlin|Central Europe=Europe/Budapest
Romance=Europe/Paris|Central European=Europe/Warsaw|W. Central Africa=Africa/Lagos|GTB=Europe/Bucharest|Middle East=Asia/Beirut
Egypt=Africa/Cairo|E. Europe=Europe/Chisinau|South Africa=Africa/Johannesburg|FLE=Europe/Kiev|Turkey=Europe/Istanbul
Israel=Asia/Jerusalem|Jordan=Asia/Amman|Kaliningrad=Europe/Kaliningrad|Namibia=Africa/Windhoek|Arabic=Asia/Baghdad|Arab=Asia/Riyadh
Belarus=Europe/Minsk|Russian=Europe/Moscow|E. Africa=Africa/Nairobi|Iran=Asia/Tehran|Arabian=Asia/Dubai|Azerbaijan=Asia/Baku
Mauritius=Indian/Mauritius|Georgian=Asia/Tbilisi|Caucasus=Asia/Yerevan|Afghanistan=Asia/Kabul|West Asia=Asia/Tashkent
Pakistan=Asia/Karachi|India=Asia/Calcutta|Sri Lanka=Asia/Colombo|Nepal=Asia/Katmandu|Central Asia=Asia/Bishkek
Bangladesh=Asia/Dhaka|Myanmar=Asia/Rangoon|SE Asia=Asia/Bangkok|China=Asia/Shanghai|Singapore=Asia/Singapore
W. Australia=Australia/Perth|Taipei=Asia/Taipei|Tokyo=Asia/Tokyo|Korea=Asia/Seoul|Cen. Australia=Australia/Adelaide
AUS Central=Australia/Darwin|E. Australia=Australia/Brisbane|AUS Eastern=Australia/Sydney|West Pacific=Pacific/Port_Moresby
Tasmania=Australia/Hobart|Vladivostok=Asia/Vladivostok|Central Pacific=Pacific/Guadalcanal|New Zealand=Pacific/Auckland
Fiji=Pacific/Fiji|Tonga=Pacific/Tongatapu|Samoa=Pacific/Apia`;

const BY_NAME: ReadonlyMap<string, string> = new Map(
  ZONES.trim()
    .split(/[|\n]/)
    .map((pair) => {
      const [windows = '', zone = ''] = pair.split('=');
      return [windows, zone];
    }),
);

/** Null for a name that is none of them. */
export function windowsZone(name: string): string | null {
  return BY_NAME.get(name.replace(/ (?:Standard|Daylight) Time$/, '')) ?? null;
}

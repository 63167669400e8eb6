/** Country names of the rule vocabulary with their ISO 3166 alpha-2 codes (rules.md 4.4): `name=code`, split at load. */
const NAMES_AND_CODES = `
Afghanistan=AF AlandIslands=AX Albania=AL Algeria=DZ AmericanSamoa=AS Andorra=AD Angola=AO Anguilla=AI Antarctica=AQ
AntiguaAndBarbuda=AG Argentina=AR Armenia=AM Aruba=AW Australia=AU Austria=AT Azerbaijan=AZ Bahamas=BS Bahrain=BH Bangladesh=BD
Barbados=BB Belarus=BY Belgium=BE Belize=BZ Benin=BJ Bermuda=BM Bhutan=BT BoliviaPlurinationalState=BO BonaireSintEustatiusAndSaba=BQ
BosniaAndHerzegovina=BA Botswana=BW BouvetIsland=BV Brazil=BR BritishIndianOceanTerritory=IO BruneiDarussalam=BN Bulgaria=BG
BurkinaFaso=BF Burundi=BI CaboVerde=CV Cambodia=KH Cameroon=CM Canada=CA CaymanIslands=KY CentralAfricanRepublic=CF Chad=TD Chile=CL
China=CN ChristmasIsland=CX CocosKeelingIslands=CC Colombia=CO Comoros=KM Congo=CG CongoDemocraticRepublic=CD CookIslands=CK
CostaRica=CR CotedIvoire=CI Croatia=HR Cuba=CU Curacao=CW Cyprus=CY Czechia=CZ Denmark=DK Djibouti=DJ Dominica=DM DominicanRepublic=DO
Ecuador=EC Egypt=EG ElSalvador=SV EquatorialGuinea=GQ Eritrea=ER Estonia=EE Ethiopia=ET FalklandIslandsMalvinas=FK FaroeIslands=FO
Fiji=FJ Finland=FI France=FR FrenchGuiana=GF FrenchPolynesia=PF FrenchSouthernTerritories=TF Gabon=GA Gambia=GM Georgia=GE Germany=DE
Ghana=GH Gibraltar=GI Greece=GR Greenland=GL Grenada=GD Guadeloupe=GP Guam=GU Guatemala=GT Guernsey=GG Guinea=GN GuineaBissau=GW
Guyana=GY Haiti=HT HeardIslandAndMcDonaldIslands=HM HolySee=VA Honduras=HN HongKong=HK Hungary=HU Iceland=IS India=IN Indonesia=ID
IranIslamicRepublic=IR Iraq=IQ Ireland=IE IsleOfMan=IM Israel=IL Italy=IT Jamaica=JM Japan=JP Jersey=JE Jordan=JO Kazakhstan=KZ Kenya=KE
Kiribati=KI KoreaDemocraticPeoplesRepublic=KP KoreaRepublic=KR Kuwait=KW Kyrgyzstan=KG LaoPeoplesDemocraticRepublic=LA Latvia=LV
Lebanon=LB Lesotho=LS Liberia=LR Libya=LY Liechtenstein=LI Lithuania=LT Luxembourg=LU Macao=MO MacedoniaTheFormerYugoslavRepublic=MK
Madagascar=MG Malawi=MW Malaysia=MY Maldives=MV Mali=ML Malta=MT MarshallIslands=MH Martinique=MQ Mauritania=MR Mauritius=MU Mayotte=YT
Mexico=MX MicronesiaFederatedStates=FM MoldovaRepublic=MD Monaco=MC Mongolia=MN Montenegro=ME Montserrat=MS Morocco=MA Mozambique=MZ
Myanmar=MM Namibia=NA Nauru=NR Nepal=NP Netherlands=NL NewCaledonia=NC NewZealand=NZ Nicaragua=NI Niger=NE Nigeria=NG Niue=NU
NorfolkIsland=NF NorthernMarianaIslands=MP Norway=NO Oman=OM Pakistan=PK Palau=PW PalestineState=PS Panama=PA PapuaNewGuinea=PG
Paraguay=PY Peru=PE Philippines=PH Pitcairn=PN Poland=PL Portugal=PT PuertoRico=PR Qatar=QA Reunion=RE Romania=RO RussianFederation=RU
Rwanda=RW SaintBarthelemy=BL SaintHelenaAscensionAndTristandaCunha=SH SaintKittsAndNevis=KN SaintLucia=LC SaintMartinFrenchpart=MF
SaintPierreAndMiquelon=PM SaintVincentAndTheGrenadines=VC Samoa=WS SanMarino=SM SaoTomeAndPrincipe=ST SaudiArabia=SA Senegal=SN
Serbia=RS Seychelles=SC SierraLeone=SL Singapore=SG SintMaartenDutchpart=SX Slovakia=SK Slovenia=SI SolomonIslands=SB Somalia=SO
SouthAfrica=ZA SouthGeorgiaAndTheSouthSandwichIslands=GS SouthSudan=SS Spain=ES SriLanka=LK Sudan=SD Suriname=SR SvalbardAndJanMayen=SJ
Swaziland=SZ Sweden=SE Switzerland=CH SyrianArabRepublic=SY TaiwanProvinceOfChina=TW Tajikistan=TJ TanzaniaUnitedRepublic=TZ Thailand=TH
TimorLeste=TL Togo=TG Tokelau=TK Tonga=TO TrinidadAndTobago=TT Tunisia=TN Turkey=TR Turkmenistan=TM TurksAndCaicosIslands=TC Tuvalu=TV
Uganda=UG Ukraine=UA UnitedArabEmirates=AE UnitedKingdomOfGreatBritainAndNorthernIreland=GB UnitedStatesOfAmerica=US
UnitedStatesMinorOutlyingIslands=UM Uruguay=UY Uzbekistan=UZ Vanuatu=VU VenezuelaBolivarianRepublic=VE Vietnam=VN
VirginIslandsBritish=VG VirginIslandsUS=VI WallisAndFutuna=WF WesternSahara=EH Yemen=YE Zambia=ZM Zimbabwe=ZW`

const PAIRS: readonly (readonly [string, string])[] = NAMES_AND_CODES.trim()
  .split(/\s+/)
  .map((pair) => [pair.slice(0, -3), pair.slice(-2)])

/** All country names, in the order in which they are served. */
export const COUNTRY_NAMES: readonly string[] = PAIRS.map(([name]) => name)

const NAME_BY_CODE: ReadonlyMap<string, string> = new Map(PAIRS.map(([name, code]) => [code, name]))
const CODE_BY_NAME: ReadonlyMap<string, string> = new Map(PAIRS)

/** The name of an alpha-2 code in any case; undefined when there is none. */
export const countryNameOf = (code: string): string | undefined => NAME_BY_CODE.get(code.toUpperCase())

/** Whether it is an alpha-2 code, in upper case. */
export const isCountryCode = (code: string): boolean => NAME_BY_CODE.has(code)

/** The alpha-2 code of a country name; undefined when there is none. */
export const countryCodeOf = (name: string): string | undefined => CODE_BY_NAME.get(name)

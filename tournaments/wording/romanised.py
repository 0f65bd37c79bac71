"""Tables for names that the rule of Chinese names (family name first, one syllable a character) does not read.

Uyghur, Kazakh, Mongolian and Tibetan names are written in Chinese characters by their sound. The tables give the parts
that most of these names are made of as those peoples write them in Latin letters; a part that is in no table keeps its
pinyin. Places are read as places: 重庆 is Chongqing.
"""

from __future__ import annotations

from collections.abc import Mapping

DOTS = "·•・‧∙⋅･"


def _table(text: str) -> Mapping[str, str]:
    """ "阿依 ay 江,疆 jan" -> {阿依: ay, 江: jan, 疆: jan}."""
    words = text.split()
    return {
        characters: reading
        for written, reading in zip(words[::2], words[1::2], strict=True)
        for characters in written.split(",")
    }


TURKIC = _table("""
阿不都,阿卜杜,阿布都,阿卜都,阿布杜,阿不杜 abdu 热合曼,热合满,拉赫曼 rahman 热依木,热合木 rehim 热西提,热希提 reshit
克里木,克力木,凯日木 kerim 外力,吾力 weli 哈力克 xaliq 萨拉木 salam 买合木提,马合木提 mahmut 买买提,麦麦提 memet
穆罕默德 muhammad 艾合买提,艾合麦提 ehmet 艾买提,艾麦提 emet 吐尔逊,图尔荪,吐逊 tursun 吐尔洪,图尔贡 turghun
吐尔地,图尔迪 turdi 艾尼瓦尔,安尼瓦尔 enwer 艾尔肯,艾力肯 erkin 艾力 eli 阿里 ali 阿力木 alim 阿迪力 adil 古丽 gul
娜尔 nar 巴哈尔 bahar 帕提 pati 阿依 ay 努尔 nur 木拉提 murat 库尔班 qurban 卡德尔,卡迪尔 qadir 哈斯木,卡斯木 qasim
玉素甫,玉苏甫,尤素甫 yusup 尤努斯,玉努斯 yunus 依明,伊明 imin 依布拉音,伊布拉音 ibrayim 亚森,牙生 yasin
司马义,斯马义,伊斯马依 ismayil 肉孜,如孜 rozi 热娜 rena 迪丽,地丽 dil 热巴 raba 迪力,地力 dil 帕尔哈提 parhat 沙吾提 sawut
赛买提,赛麦提 semet 托合提,图合提 tohti 吾买尔,乌买尔 omer 乌斯曼,吾斯曼 osman 塔依尔 tayir 依力哈木,伊力哈木 ilham
伊力亚斯,依力亚斯 ilyas 居来提 juret 夏提 shat 叶尔 yer 别克 bek 汗 han 江 jan 苏来曼,苏莱曼 sulayman 萨依提 sayit
凯赛尔 qeyser 艾则孜,艾孜孜 eziz 阿布力孜,阿不力孜,阿卜力孜 abliz 阿布来提,阿不来提,阿卜来提 ablet 阿布拉,阿不拉 abla
热孜万 rizwan 尼亚孜 niyaz 米吉提 mijit 哈提 hat 沙拉 sala 吐热克,图热克 torek 艾山 hesen 玉山 hoshan 阿孜 azi
""")

MONGOLIAN = _table("""
巴特尔,巴特 baatar 巴图 bat 苏和 sukh 乌兰 ulaan 其木格,琪木格 chimeg 其其格,琪琪格 tsetseg 格日勒 gerel 图雅 tuya
那仁,娜仁 naran 高娃 gowa 朝鲁 chuluun 孟和 munkh 宝音 buyan 额尔德尼 erdene 斯琴 sechen 萨仁 saran 阿拉坦 altan 呼和 khukh
布和 bukh 青格勒 chingel 哈斯 khas 吉日嘎拉 jargal 敖其尔 ochir 道尔吉 dorj 朝克图 chogt 乌云 oyun 特木尔,铁木尔 temur
巴雅尔 bayar 恩和 enkh 毕力格,毕力克 bilig 达来 dalai 塔娜 tana 萨日娜 sarana 通拉嘎 tungalag 陶格斯 togs 牧仁 muren
""")

TIBETAN = _table("""
扎西 tashi 次仁,才让,才仁,泽仁 tsering 多吉,多杰 dorje 卓玛 drolma 央金 yangchen 旺堆 wangdu 旺姆 wangmo 拉姆 lhamo
平措 phuntsok 顿珠 dondrup 尼玛 nyima 达瓦 dawa 格桑 kelsang 索朗,索南 sonam 丹增,旦增 tenzin 洛桑 lobsang 罗布,诺布 norbu
桑吉 sangye 仁青,仁钦 rinchen 白玛 pema 德吉 dekyi 曲珍 choedron 普布 phurbu 边巴 penpa 巴桑 pasang 米玛 migmar 拉巴 lhakpa
强巴 jampa 晋美,吉美 jigme 嘉措,加措 gyatso 次旺 tsewang 贡布 gonpo 贡嘎 kunga 班觉 paljor 坚赞,坚参 gyaltsen 益西 yeshe
群培 choephel 朗杰 namgyal 卓嘎 dolkar 措姆 tsomo 玉珍 yudron 赤列 trinley 土登 thubten 阿旺 ngawang
""")

# Characters that stand for sounds in these names and read otherwise than in Chinese words.
SOUNDS = {"都": "du", "尔": "r"}

PROVINCES = frozenset(
    "中国 北京 天津 上海 重庆 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 四川 贵州 云南 "
    "陕西 甘肃 青海 台湾 内蒙古 广西 西藏 宁夏 新疆 香港 澳门 重慶 廣東 廣西 雲南 陝西 甘肅 遼寧 黑龍江 江蘇 臺灣 貴州 澳門".split()
)

PLACES = _table("""
中国 China 北京 Beijing 重庆,重慶 Chongqing 陕西,陝西 Shaanxi 内蒙古,內蒙古 Inner-Mongolia 西藏 Tibet 新疆 Xinjiang
香港 Hong-Kong 澳门,澳門 Macau 台湾,臺灣 Taiwan 哈尔滨 Harbin 乌鲁木齐 Urumqi 呼和浩特 Hohhot 拉萨 Lhasa 喀什 Kashgar
厦门 Xiamen 六安 Lu'an 西安 Xi'an 番禺 Panyu 蚌埠 Bengbu 丽水 Lishui 台州 Taizhou 乐山 Leshan 乐清 Yueqing 洪洞 Hongtong
吐鲁番 Turpan 克拉玛依 Karamay 阿克苏 Aksu 和田 Hotan 伊犁 Ili 鄂尔多斯 Ordos 包头 Baotou 呼伦贝尔 Hulunbuir 长春 Changchun
长沙 Changsha 长治 Changzhi 大连 Dalian 成都 Chengdu 都江堰 Dujiangyan 亳州 Bozhou 涡阳 Guoyang 歙县 Shexian 东阿 Dong'e
""")

# What follows the place in the name of a team; the longest of them is taken, "-" leaves the word out.
TEAM_WORDS = _table("""
代表队,代表团,队,省队,市队,省,市,自治区 - 一队 1 二队 2 三队 3 四队 4 男队,男子队 Men 女队,女子队 Women 青年队 Youth 少年队 Juniors
联队 United 俱乐部 Club 棋院 Chess-Academy 棋协,棋类协会 Chess-Association 协会 Association 体育局 Sports-Bureau 大学 University
学院 College 中学 Middle-School 小学 Primary-School 实验 Experimental 第一 No.1 第二 No.2 第三 No.3 国际跳棋 Draughts 体校 Sports-School
""")

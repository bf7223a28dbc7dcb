import{k as o,l as e}from"./chunk-OEB7GWXO.js";var r="reloaded",t=6e4;function a(){Date.now()-o(r,0)<t||(e(r,Date.now()),location.reload())}export{a};

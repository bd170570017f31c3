console.log('nothing is generated yet')
